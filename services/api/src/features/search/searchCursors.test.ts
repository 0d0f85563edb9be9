import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ListQuery } from '@hearth/contract/query.ts';
import { aheadLength } from './lists/searchFusion.ts';
import { readingKinds } from './searchReadings.ts';
import { searchCursors } from './cursors.ts';

test('the longest possible position fits into a cursor', () => {
  const item = { localTime: '2020-01-01T00:00:00.123456', id: '8f14e45f-ceea-467f-a9b5-3c1e2b7d9a10' };
  const at = { ...item, score: 1_000_000 };
  const cursors = searchCursors({ q: 'x' });
  const position = {
    began: item.localTime,
    served: 1_000,
    mistyped: [...Array(32).keys()],
    ahead: 'f'.repeat(aheadLength),
    // Only the semantic reading has `until`, and only readings by words have `rankedTo`.
    readings: readingKinds.map((kind) => (kind === 'meant' ? { kind, at, until: at } : { kind, at, rankedTo: item })),
  };
  const cursor = cursors.encode(position);
  assert.deepEqual(ListQuery.parse({ cursor }).cursor, cursor);
  assert.deepEqual(cursors.decode(cursor), position);
});
