import { useEffect } from 'react';
import { focusContent } from '../../lib/browser/focusContent.ts';

/**
 * Restores focus when the focused element disappears, for example a deleted picture or the selection bar. On the body,
 * screen readers would start from the top and arrow keys would do nothing. Focuses the same item if it was rendered
 * again, else the cell in the tab order, or the content if the page has changed.
 */
export const useRestoredFocus = (): void => {
  useEffect(() => {
    let last: { readonly element: Element; readonly path: string } | undefined;
    let frame = 0;
    const isLost = (): boolean => last !== undefined && !last.element.isConnected && isNothingFocused();
    const restoreFocus = (): void => {
      if (last === undefined || !isLost()) return;
      const id = last.element.getAttribute('data-item-id');
      const cell =
        (id === null ? null : findCell(`[data-item-id="${CSS.escape(id)}"]`)) ??
        (last.path === location.pathname ? findCell('[tabindex="0"]') : null);
      if (cell === null) focusContent();
      else cell.focus({ preventScroll: true });
    };
    const handleFocus = ({ target }: FocusEvent): void => {
      if (target instanceof Element) last = { element: target, path: location.pathname };
    };
    const observer = new MutationObserver(() => {
      if (!isLost()) return;
      cancelAnimationFrame(frame);
      // By then, dialogs and menus have returned the focus themselves.
      frame = requestAnimationFrame(restoreFocus);
    });
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('focusin', handleFocus);
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      document.removeEventListener('focusin', handleFocus);
    };
  }, []);
};

const isNothingFocused = (): boolean => document.activeElement === null || document.activeElement === document.body;

const findCell = (selector: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`#content [role=gridcell]${selector}`);
