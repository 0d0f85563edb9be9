import { createContext, use, useEffect, useSyncExternalStore } from 'react';

/** Roving tab stop of a grid: the cell focused last, or the first rendered cell if that one is no longer rendered. */
export interface GridFocus {
  readonly setActive: (id: string) => void;
  /** Reports that a cell was unmounted. */
  readonly forget: (id: string) => void;
  /** Sets the tab stop for when no focused cell is rendered. */
  readonly setFirst: (id: string | undefined) => void;
  readonly isTabStop: (id: string) => boolean;
  readonly subscribe: (listener: () => void) => () => void;
}

export const makeGridFocus = (): GridFocus => {
  const listeners = new Set<() => void>();
  let active: string | undefined;
  let first: string | undefined;
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    setActive: (id) => {
      if (active === id) return;
      active = id;
      notify();
    },
    forget: (id) => {
      if (active !== id) return;
      active = undefined;
      notify();
    },
    setFirst: (id) => {
      if (first === id) return;
      first = id;
      if (active === undefined) notify();
    },
    isTabStop: (id) => id === (active ?? first),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

export const GridFocusContext = createContext<GridFocus>(makeGridFocus());

export const useIsTabStop = (id: string): boolean => {
  const focus = use(GridFocusContext);
  useEffect(() => () => focus.forget(id), [focus, id]);
  return useSyncExternalStore(focus.subscribe, () => focus.isTabStop(id));
};
