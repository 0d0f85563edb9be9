import { describe, expect, test, vi } from 'vitest';
import type { MediaSource } from '../../../lib/items/mediaSource.ts';
import { gridItem } from '../../../lib/items/testing/gridItem.ts';
import { loadAround, findNeighbours, findSuccessor } from './neighbours.ts';

const items = Array.from({ length: 30 }, (_, index) => gridItem({ id: `item-${index}` }));

describe('neighbours of an item', () => {
  test('are the previous and next items, with a position from 1', () => {
    const { previous, item, next, position } = findNeighbours('item-3', { items });
    expect([previous?.id, item?.id, next?.id, position]).toEqual(['item-2', 'item-3', 'item-4', 4]);
  });

  test('are undefined at the ends', () => {
    expect(findNeighbours('item-0', { items }).previous).toBeUndefined();
    expect(findNeighbours('item-29', { items }).next).toBeUndefined();
  });

  test('are undefined for an item that is not loaded', () => {
    expect(findNeighbours('elsewhere', { items })).toEqual({
      item: undefined,
      previous: undefined,
      next: undefined,
      position: undefined,
    });
  });

  test('have no position when the list can start in the middle', () => {
    expect(findNeighbours('item-3', { items, hasBefore: false }).position).toBeUndefined();
  });
});

describe('successor of a removed item', () => {
  test.each([
    ['is the next item', 'item-3', 'item-4'],
    ['is the previous item at the end of the list', 'item-29', 'item-28'],
    ['is undefined for an item outside the list', 'elsewhere', undefined],
  ])('%s', (_, id, successor) => {
    expect(findSuccessor(id, { items })).toBe(successor);
  });

  test('is undefined for the only item', () => {
    expect(findSuccessor('item-0', { items: items.slice(0, 1) })).toBeUndefined();
  });
});

describe('loading around an item', () => {
  test.each([
    ['loads following items near the end', 'item-25', 1, 0],
    ['loads preceding items near the start', 'item-4', 0, 1],
    ['loads nothing in the middle', 'item-15', 0, 0],
    ['loads following items until the item is found', 'elsewhere', 1, 0],
  ])('%s', (_, id, more, before) => {
    const list = source();
    loadAround(id, list);
    expect(list.loadMore).toHaveBeenCalledTimes(more);
    expect(list.loadBefore).toHaveBeenCalledTimes(before);
  });
});

function source() {
  return {
    items,
    total: undefined,
    hasMore: true,
    isLoading: false,
    error: null,
    loadMore: vi.fn<() => void>(),
    hasBefore: true,
    loadBefore: vi.fn<() => void>(),
  } satisfies MediaSource;
}
