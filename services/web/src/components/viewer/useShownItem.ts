import { useNavigate, useRouter } from '@tanstack/react-router';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Whether the entry of the history before this one is the list under the viewer. */
    readonly isOverList?: true;
  }
}

/** Changes which item of a list the viewer shows: the address names it as `item`. */
export interface ShownItem {
  /** Opens the viewer, which Back closes. */
  readonly open: (id: string) => void;
  /** Shows another item instead; Back still leads to the list. */
  readonly show: (id: string) => void;
  readonly close: () => void;
}

/** Whether the browser was asked to go back and has not done so: a second Escape meanwhile would lead out of the list. */
let isGoingBack = false;

/**
 * What opens and closes the viewer over the list of the page. One that was opened from its list is left by going back to it: were its address
 * replaced, the list would be in the history twice, and the next Back would seem to do nothing.
 */
export const useShownItem = (): ShownItem => {
  // From the page that it is on: that of a route leads to the photos.
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
      } else if (!isGoingBack) {
        isGoingBack = true;
        const end = history.subscribe(() => {
          isGoingBack = false;
          end();
        });
        history.back();
      }
    },
  };
};
