import { createContext, use, useSyncExternalStore } from 'react';

/** Which cell of a grid the Tab key leads to: the one that was focused last, at first the first. */
export interface GridFocus {
  readonly activeId: () => string | undefined;
  readonly setActive: (id: string) => void;
  /** Names the cell that Tab leads to while none was focused. */
  readonly setFirst: (id: string | undefined) => void;
  readonly isTabStop: (id: string) => boolean;
  readonly subscribe: (listener: () => void) => () => void;
}

/** A grid in which no cell was focused yet. */
export const makeGridFocus = (): GridFocus => {
  const listeners = new Set<() => void>();
  let active: string | undefined;
  let first: string | undefined;
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    activeId: () => active ?? first,
    setActive: (id) => {
      if (active === id) return;
      active = id;
      tell();
    },
    setFirst: (id) => {
      if (first === id) return;
      first = id;
      if (active === undefined) tell();
    },
    isTabStop: (id) => id === (active ?? first),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

export const GridFocusContext = createContext<GridFocus>(makeGridFocus());

/** Whether Tab leads to this cell. */
export const useIsTabStop = (id: string): boolean => {
  const focus = use(GridFocusContext);
  return useSyncExternalStore(focus.subscribe, () => focus.isTabStop(id));
};
