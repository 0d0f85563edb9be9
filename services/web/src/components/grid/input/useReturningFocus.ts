import { useEffect, useEffectEvent, useRef } from 'react';

/** Calls `onReturn` with the last shown id when `shownId` becomes undefined. */
export const useReturningFocus = (shownId: string | undefined, onReturn: (id: string) => unknown): void => {
  const last = useRef<string>(undefined);
  const handleReturn = useEffectEvent(onReturn);
  useEffect(() => {
    if (shownId === undefined && last.current !== undefined) handleReturn(last.current);
    last.current = shownId;
  }, [shownId]);
};
