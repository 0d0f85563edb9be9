import { createContext, use, useState, useSyncExternalStore, type ReactNode } from 'react';
import { makeSelectionStore, type Selection, type SelectionStore } from './selectionStore.ts';

const SelectionContext = createContext<SelectionStore | undefined>(undefined);

/** Returns the selection of the enclosing list. */
export const useSelection = (): Selection => {
  const store = useSelectionStore();
  return useSyncExternalStore(store.subscribe, store.get);
};

/** Returns whether an item is selected. The component renders again only when this changes. */
export const useIsSelected = (id: string): boolean => {
  const store = useSelectionStore();
  return useSyncExternalStore(store.subscribe, () => store.get().ids.has(id));
};

/** Returns whether anything is selected. A click on a picture then selects it instead of opening it. */
export const useIsSelecting = (): boolean => {
  const store = useSelectionStore();
  return useSyncExternalStore(store.subscribe, () => store.get().ids.size > 0);
};

export const useSelectedCount = (ids: readonly string[]): number => {
  const store = useSelectionStore();
  return useSyncExternalStore(store.subscribe, () => {
    const { ids: selected } = store.get();
    return selected.size === 0 ? 0 : ids.reduce((count, id) => count + (selected.has(id) ? 1 : 0), 0);
  });
};

/** Returns the store, for components that read the selection only in event handlers. */
export const useSelectionStore = (): SelectionStore => {
  const store = use(SelectionContext);
  if (store === undefined) throw new Error('useSelection must be used within a SelectionProvider');
  return store;
};

export const SelectionProvider = ({ children }: { readonly children: ReactNode }) => {
  const [store] = useState(makeSelectionStore);
  return <SelectionContext value={store}>{children}</SelectionContext>;
};
