import type { GridItem } from '../../../lib/items/gridItem.ts';
import type { MediaSource } from '../../../lib/items/mediaSource.ts';

export interface Neighbours {
  readonly item: GridItem | undefined;
  readonly previous: GridItem | undefined;
  readonly next: GridItem | undefined;
  /** From 1. Undefined if the item is not loaded, or if the list may start before its loaded part. */
  readonly position: number | undefined;
}

/** More of the list loads when fewer loaded items than this precede or follow the current one. */
const loadMargin = 10;

export const findNeighbours = (
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

/**
 * Maximum number of items to load in search of an item opened by URL. An item further down is shown without neighbours.
 */
const maxSearchedItems = 2000;

/** Loads more of the list near an end of its loaded part, or while the item has not been found. */
export const loadAround = (id: string, source: MediaSource): void => {
  const index = source.items.findIndex((item) => item.id === id);
  if (index === -1) {
    if (source.hasMore && !source.isLoading && source.items.length < maxSearchedItems) source.loadMore();
    return;
  }
  if (source.hasMore && index >= source.items.length - loadMargin) source.loadMore();
  if (source.hasBefore === true && index < loadMargin) source.loadBefore?.();
};

/** Returns the item to show after this one was removed from the list: the next one, or the previous one at the end. */
export const findSuccessor = (id: string, source: Pick<MediaSource, 'items'>): string | undefined => {
  const { next, previous } = findNeighbours(id, source);
  return (next ?? previous)?.id;
};
