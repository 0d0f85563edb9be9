import { describe, expect, it } from 'vitest';
import { makeSelectionStore, listRange } from './selectionStore.ts';

const ordered = ['a', 'b', 'c', 'd', 'e'];

describe('selection store', () => {
  it('contains items toggled an odd number of times', () => {
    const { get } = makeSelectionStore();
    get().toggle('a');
    get().toggle('b');
    get().toggle('a');
    expect([...get().ids]).toEqual(['b']);
  });

  it('selects the range from the last toggled item, in either direction', () => {
    const { get } = makeSelectionStore();
    get().toggle('d');
    get().selectRangeTo('b', ordered);
    expect([...get().ids].toSorted()).toEqual(['b', 'c', 'd']);
    get().selectRangeTo('a', ordered);
    expect([...get().ids].toSorted()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('selects a single item without a range start', () => {
    const { get } = makeSelectionStore();
    get().selectRangeTo('c', ordered);
    expect([...get().ids]).toEqual(['c']);
  });

  it('notifies subscribers only of changes', () => {
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

  it('selects only the end when the range start is not in the list', () => {
    expect(listRange('x', 'b', ordered)).toEqual(['b']);
  });
});
