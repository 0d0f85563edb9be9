import { useLayoutEffect } from 'react';

/**
 * Keeps the page visible to screen readers while a list of suggestions is open. Base UI sets `aria-hidden` on
 * everything around the list except live regions, although the list is not modal (mui/base-ui#5528). Therefore the root
 * becomes a live region, which announces nothing because it is `off`.
 */
export const useReadablePage = (isOpen: boolean): void => {
  // Base UI sets `aria-hidden` in an effect of the same commit or later. Layout effects run before.
  useLayoutEffect(() => {
    const root = document.getElementById('root');
    if (!isOpen || root === null) return undefined;
    root.setAttribute('aria-live', 'off');
    return () => root.removeAttribute('aria-live');
  }, [isOpen]);
};
