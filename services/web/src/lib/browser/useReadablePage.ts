import { useLayoutEffect } from 'react';

/**
 * Leaves the page to screen readers while a list of suggestions `isOpen`. Base UI hides everything around such a list from them, though nothing of it
 * is kept from anybody else (mui/base-ui#5528); it spares what is a live region. One that is `off` is never announced by itself.
 */
export const useReadablePage = (isOpen: boolean): void => {
  // Base UI hides in an effect of the same commit at the earliest, which runs after this.
  useLayoutEffect(() => {
    const root = document.getElementById('root');
    if (!isOpen || root === null) return undefined;
    root.setAttribute('aria-live', 'off');
    return () => root.removeAttribute('aria-live');
  }, [isOpen]);
};
