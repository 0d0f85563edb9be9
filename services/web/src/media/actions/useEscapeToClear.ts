import { useEffect, useEffectEvent } from 'react';

/** Clears a selection by Escape, unless that closes something that lies over the page. */
export const useEscapeToClear = (clear: () => void): void => {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    if (document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') === null) clear();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKeyDown(event);
    // Before a dialog or menu that the key closes is gone.
    document.addEventListener('keydown', listen, { capture: true });
    return () => document.removeEventListener('keydown', listen, { capture: true });
  }, []);
};
