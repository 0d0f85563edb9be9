/** Which items of a list are selected, and what changes that. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** Selects an item, or no longer; the item is where the next range begins. */
  readonly toggle: (id: string) => void;
  /** Selects or deselects several at once, such as those of a day. */
  readonly setSelected: (ids: readonly string[], isSelected: boolean) => void;
  /** Selects everything between the item that was toggled last and this one, in the order of `orderedIds`. */
  readonly selectRangeTo: (id: string, orderedIds: readonly string[]) => void;
  readonly clear: () => void;
}

/** Keeps a selection and tells who listens of its changes. */
export interface SelectionStore {
  /** The same object until something changes. */
  readonly get: () => Selection;
  /** Where a range begins: the item that was toggled last. */
  readonly anchor: () => string | undefined;
  readonly subscribe: (listener: () => void) => () => void;
}

/** An empty selection. */
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
      change(withChanged(current.ids, [id], !current.ids.has(id)));
    },
    setSelected: (changed, isSelected) => {
      anchor = changed.at(-1) ?? anchor;
      change(withChanged(current.ids, changed, isSelected));
    },
    selectRangeTo: (id, orderedIds) => {
      const range = rangeBetween(anchor ?? id, id, orderedIds);
      anchor = id;
      change(withChanged(current.ids, range, true));
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

/** The ids from `from` to `to`, both included, whichever of them comes first; `to` alone where `from` is not in the list. */
export const rangeBetween = (from: string, to: string, orderedIds: readonly string[]): readonly string[] => {
  const start = orderedIds.indexOf(from);
  const end = orderedIds.indexOf(to);
  if (start === -1 || end === -1) return [to];
  return orderedIds.slice(Math.min(start, end), Math.max(start, end) + 1);
};

function withChanged(ids: ReadonlySet<string>, changed: readonly string[], isSelected: boolean): ReadonlySet<string> {
  return isSelected ? ids.union(new Set(changed)) : ids.difference(new Set(changed));
}
