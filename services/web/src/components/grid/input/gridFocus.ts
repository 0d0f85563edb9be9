import { createContext, use, useEffect, useSyncExternalStore } from 'react';

/** Which cell of a grid the Tab key leads to: the one that was focused last, as long as it is drawn, else the first that is. */
export interface GridFocus {
  readonly setActive: (id: string) => void;
  /** Says that a cell is not drawn any more. */
  readonly forget: (id: string) => void;
  /** Names the cell that Tab leads to while no other was focused. */
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
    setActive: (id) => {
      if (active === id) return;
      active = id;
      tell();
    },
    forget: (id) => {
      if (active !== id) return;
      active = undefined;
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
  useEffect(() => () => focus.forget(id), [focus, id]);
  return useSyncExternalStore(focus.subscribe, () => focus.isTabStop(id));
};
