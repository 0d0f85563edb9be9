import { expect, test } from 'vitest';
import { groupByReason } from './ReasonItem.tsx';

test('merges groups of the same reason and sorts them by count', () => {
  const groups = groupByReason([
    { component: 'METADATA', reason: 'TIMED_OUT', count: 2, examples: ['e'] },
    { component: 'PREVIEW_THUMBNAIL', reason: 'CORRUPT', count: 5, examples: ['a', 'b', 'c'] },
    { component: 'TRANSCODE', reason: 'CORRUPT', count: 4, examples: ['b', 'd'] },
  ]);
  expect(groups).toEqual([
    { reason: 'CORRUPT', count: 5, components: ['PREVIEW_THUMBNAIL', 'TRANSCODE'], examples: ['a', 'b', 'c'] },
    { reason: 'TIMED_OUT', count: 2, components: ['METADATA'], examples: ['e'] },
  ]);
});

test('counts at least the number of examples', () => {
  const [group] = groupByReason([
    { component: 'PREVIEW_THUMBNAIL', reason: 'CORRUPT', count: 1, examples: ['a'] },
    { component: 'TRANSCODE', reason: 'CORRUPT', count: 1, examples: ['b'] },
  ]);
  expect(group?.count).toBe(2);
});

test('returns no groups for an empty list', () => expect(groupByReason([])).toEqual([]));
