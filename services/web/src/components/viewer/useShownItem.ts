import { useNavigate, useRouter } from '@tanstack/react-router';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** True if the previous history entry is the list below the viewer. */
    readonly isOverList?: true;
  }
}

/** Sets the item in the viewer, which is `item` in the URL. */
export interface ShownItem {
  /** Opens the viewer in a new history entry. */
  readonly open: (id: string) => void;
  /** Shows another item in the same history entry, so that Back returns to the list. */
  readonly show: (id: string) => void;
  readonly close: () => void;
}

/** True while `history.back()` is pending. A second Escape would otherwise leave the list. */
let isNavigatingBack = false;

/**
 * Opens and closes the viewer. A viewer opened from its list closes by going back. Replacing its history entry would
 * leave the list in the history twice, and the next Back would seem to do nothing.
 */
export const useShownItem = (): ShownItem => {
  // Relative to the current page: a route's own `navigate` would lead to the photos.
  const navigate = useNavigate();
  const { history } = useRouter();
  return {
    open: (id) =>
      void navigate({
        to: '.',
        search: (before) => ({ ...before, item: id }),
        state: { isOverList: true },
        resetScroll: false,
      }),
    show: (id) =>
      void navigate({
        to: '.',
        search: (before) => ({ ...before, item: id }),
        state: true,
        replace: true,
        resetScroll: false,
      }),
    close: () => {
      if (history.location.state.isOverList !== true) {
        void navigate({
          to: '.',
          search: (before) => ({ ...before, item: undefined }),
          replace: true,
          resetScroll: false,
        });
      } else if (!isNavigatingBack) {
        isNavigatingBack = true;
        const end = history.subscribe(() => {
          isNavigatingBack = false;
          end();
        });
        history.back();
      }
    },
  };
};
