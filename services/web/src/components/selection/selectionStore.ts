export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** Toggles an item and makes it the start of the next range. */
  readonly toggle: (id: string) => void;
  readonly setSelected: (ids: readonly string[], isSelected: boolean) => void;
  /** Selects everything from the last toggled item to this one, in the order of `orderedIds`. */
  readonly selectRangeTo: (id: string, orderedIds: readonly string[]) => void;
  readonly clear: () => void;
}

export interface SelectionStore {
  /** Returns the same object until something changes. */
  readonly get: () => Selection;
  /** Returns the start of the next range: the last toggled item. */
  readonly anchor: () => string | undefined;
  readonly subscribe: (listener: () => void) => () => void;
}

export const makeSelectionStore = (): SelectionStore => {
  const listeners = new Set<() => void>();
  let anchor: string | undefined;
  const change = (ids: ReadonlySet<string>): void => {
    current = { ...current, ids };
    for (const listener of listeners) listener();
  };
  let current: Selection = {
    ids: new Set(),
    toggle: (id) => {
      anchor = id;
      change(applyChange(current.ids, [id], !current.ids.has(id)));
    },
    setSelected: (changed, isSelected) => {
      anchor = changed.at(-1) ?? anchor;
      change(applyChange(current.ids, changed, isSelected));
    },
    selectRangeTo: (id, orderedIds) => {
      const range = listRange(anchor ?? id, id, orderedIds);
      anchor = id;
      change(applyChange(current.ids, range, true));
    },
    clear: () => {
      anchor = undefined;
      if (current.ids.size > 0) change(new Set());
    },
  };
  return {
    get: () => current,
    anchor: () => anchor,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

/** Returns the ids from one item to the other, both included, in either direction; only `to` if an end is missing. */
export const listRange = (from: string, to: string, orderedIds: readonly string[]): readonly string[] => {
  const start = orderedIds.indexOf(from);
  const end = orderedIds.indexOf(to);
  if (start === -1 || end === -1) return [to];
  return orderedIds.slice(Math.min(start, end), Math.max(start, end) + 1);
};

function applyChange(ids: ReadonlySet<string>, changed: readonly string[], isSelected: boolean): ReadonlySet<string> {
  return isSelected ? ids.union(new Set(changed)) : ids.difference(new Set(changed));
}
