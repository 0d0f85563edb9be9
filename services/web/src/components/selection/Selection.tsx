import { createContext, use, useState, useSyncExternalStore, type ReactNode } from 'react';
import { makeSelectionStore, type Selection, type SelectionStore } from './selectionStore.ts';

const SelectionContext = createContext<SelectionStore | undefined>(undefined);

/** The selection of the list that the component lies in; the component is rendered again with each change of it. */
export const useSelection = (): Selection => {
  const store = useSelectionStore();
  return useSyncExternalStore(store.subscribe, store.get);
};

/** Whether one item is selected, for the many cells of a grid: rendered again only when that changes. */
export const useIsSelected = (id: string): boolean => {
  const store = useSelectionStore();
  return useSyncExternalStore(store.subscribe, () => store.get().ids.has(id));
};

/** Whether anything is selected: a click on a picture then selects it instead of opening it. */
export const useIsSelecting = (): boolean => {
  const store = useSelectionStore();
  return useSyncExternalStore(store.subscribe, () => store.get().ids.size > 0);
};

/** How many of these items are selected; for headings that select several. */
export const useSelectedCount = (ids: readonly string[]): number => {
  const store = useSelectionStore();
  return useSyncExternalStore(store.subscribe, () => {
    const { ids: selected } = store.get();
    return selected.size === 0 ? 0 : ids.reduce((count, id) => count + (selected.has(id) ? 1 : 0), 0);
  });
};

/** The store itself, for what reads the selection only when something is pressed. */
export const useSelectionStore = (): SelectionStore => {
  const store = use(SelectionContext);
  if (store === undefined) throw new Error('useSelection needs a SelectionProvider around it.');
  return store;
};

/** Keeps a selection for the list inside it. */
export const SelectionProvider = ({ children }: { readonly children: ReactNode }) => {
  const [store] = useState(makeSelectionStore);
  return <SelectionContext value={store}>{children}</SelectionContext>;
};
