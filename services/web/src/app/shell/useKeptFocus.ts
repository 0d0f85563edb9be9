import { useEffect } from 'react';
import { focusContent } from '../../lib/browser/focusContent.ts';

/**
 * Keeps the focus on the page when what had it is gone: a picture that was moved to the trash, the bar of what was selected, a link of the page
 * before. Otherwise it would be on the body, where screen readers begin at the top again and arrows move nothing. It goes to the same item
 * where that is drawn anew, else to the picture that Tab leads to, and to the content where the page is another one.
 */
export const useKeptFocus = (): void => {
  useEffect(() => {
    let last: { readonly element: Element; readonly path: string } | undefined;
    let frame = 0;
    const isLost = (): boolean => last !== undefined && !last.element.isConnected && isNothingFocused();
    const keep = (): void => {
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
      // Dialogs and menus give the focus back by themselves, and have done so by then.
      frame = requestAnimationFrame(keep);
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

const findCell = (which: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`#content [role=gridcell]${which}`);
