import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mean, median, quantile } from './statistics.ts';

test('computes quantiles of unsorted values, and NaN without values', () => {
  const values = [40, 10, 30, 20, 100];
  assert.deepEqual(
    [0, 0.5, 0.95, 1].map((share) => quantile(values, share)),
    [10, 30, 100, 100],
  );
  assert.deepEqual([median(values), mean(values), median([])], [30, 40, NaN]);
});
