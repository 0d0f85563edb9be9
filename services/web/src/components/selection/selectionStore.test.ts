import { describe, expect, it } from 'vitest';
import { makeSelectionStore, rangeBetween } from './selectionStore.ts';

const ordered = ['a', 'b', 'c', 'd', 'e'];

describe('a selection', () => {
  it('holds what was toggled once', () => {
    const { get } = makeSelectionStore();
    get().toggle('a');
    get().toggle('b');
    get().toggle('a');
    expect([...get().ids]).toEqual(['b']);
  });

  it('takes everything from the item that was toggled last to the end of a range, in either direction', () => {
    const { get } = makeSelectionStore();
    get().toggle('d');
    get().selectRangeTo('b', ordered);
    expect([...get().ids].toSorted()).toEqual(['b', 'c', 'd']);
    get().selectRangeTo('a', ordered);
    expect([...get().ids].toSorted()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('takes one item when no range was begun', () => {
    const { get } = makeSelectionStore();
    get().selectRangeTo('c', ordered);
    expect([...get().ids]).toEqual(['c']);
  });

  it('tells of changes, and of nothing else', () => {
    const store = makeSelectionStore();
    let changes = 0;
    const end = store.subscribe(() => (changes += 1));
    store.get().setSelected(['a', 'b'], true);
    store.get().clear();
    store.get().clear();
    end();
    store.get().toggle('a');
    expect(changes).toBe(2);
  });

  it('takes the end alone of a range whose beginning is not in the list', () => {
    expect(rangeBetween('x', 'b', ordered)).toEqual(['b']);
  });
});
