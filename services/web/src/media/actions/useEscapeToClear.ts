import { useEffect, useEffectEvent } from 'react';

/** What lies over the page and is closed by Escape; a message at its edge is a dialog that is not modal. */
const over = '[role="dialog"]:not([aria-modal="false"]), [role="alertdialog"], [role="menu"]';

/** Clears a selection by Escape, unless that closes something that lies over the page. */
export const useEscapeToClear = (clear: () => void): void => {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    if (document.querySelector(over) === null) clear();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKeyDown(event);
    // Before a dialog or menu that the key closes is gone.
    document.addEventListener('keydown', listen, { capture: true });
    return () => document.removeEventListener('keydown', listen, { capture: true });
  }, []);
};
