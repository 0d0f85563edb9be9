import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeSkips } from './describeSkips.ts';

test('gives several tests with one reason one line', () => {
  const data = 'needs the test data (HEARTH_TEST_DATA)';
  const skipped = [
    { line: 'a.test.ts: reads every photo', reason: data },
    { line: 'b.test.ts: rotates keys', reason: 'redis-server is not installed: npm run tools' },
    { line: 'c.test.ts: finds faces', reason: data },
  ];
  assert.deepEqual(describeSkips(skipped), [
    '2 tests: needs the test data (HEARTH_TEST_DATA)',
    'b.test.ts: rotates keys (redis-server is not installed: npm run tools)',
  ]);
});
