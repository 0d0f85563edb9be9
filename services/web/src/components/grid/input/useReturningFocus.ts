import { useEffect, useEffectEvent, useRef } from 'react';

/** Calls `onReturn` with the id that was shown last, as soon as none is shown any more. */
export const useReturningFocus = (shownId: string | undefined, onReturn: (id: string) => unknown): void => {
  const last = useRef<string>(undefined);
  const handleReturn = useEffectEvent(onReturn);
  useEffect(() => {
    if (shownId === undefined && last.current !== undefined) handleReturn(last.current);
    last.current = shownId;
  }, [shownId]);
};
