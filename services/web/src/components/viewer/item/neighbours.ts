import type { GridItem } from '../../../lib/items/gridItem.ts';
import type { MediaSource } from '../../../lib/items/mediaSource.ts';

/** An item's place in its list. */
export interface Neighbours {
  readonly item: GridItem | undefined;
  readonly previous: GridItem | undefined;
  readonly next: GridItem | undefined;
  /** Counted from 1; undefined when the item is not loaded, or when the list may begin before what is loaded of it. */
  readonly position: number | undefined;
}

/** How few loaded items may lie between the one that is shown and an end of them before more are loaded. */
const margin = 10;

/** What lies on either side of an item in a list, as far as that is loaded. */
export const neighboursOf = (
  id: string,
  { items, hasBefore }: Pick<MediaSource, 'items' | 'hasBefore'>,
): Neighbours => {
  const index = items.findIndex((item) => item.id === id);
  if (index === -1) return { item: undefined, previous: undefined, next: undefined, position: undefined };
  return {
    item: items[index],
    previous: items[index - 1],
    next: items[index + 1],
    position: hasBefore === undefined ? index + 1 : undefined,
  };
};

/** How far a list is loaded to find an item that was opened by its address; one further behind is shown without neighbours. */
const searchedItems = 2000;

/** Has more of the list loaded when the item is near an end of what is there, and when it may be further behind. */
export const loadAround = (id: string, source: MediaSource): void => {
  const index = source.items.findIndex((item) => item.id === id);
  if (index === -1) {
    if (source.hasMore && !source.isLoading && source.items.length < searchedItems) source.loadMore();
    return;
  }
  if (source.hasMore && index >= source.items.length - margin) source.loadMore();
  if (source.hasBefore === true && index < margin) source.loadBefore?.();
};

/** Which item is shown instead of one that leaves the list: the next one, at the end the one before. */
export const successorOf = (id: string, source: Pick<MediaSource, 'items'>): string | undefined => {
  const { next, previous } = neighboursOf(id, source);
  return (next ?? previous)?.id;
};
