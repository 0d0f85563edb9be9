import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePromql } from './promql.ts';

test('finds the metrics, labels and values of an expression', () => {
  const found = parsePromql(
    'sum by (pool) (rate(a_total{x="1",y=~"b|c",z=~"$v"}[$__rate_interval])) unless on (kind) b offset 1h',
  );
  assert.deepEqual(found, {
    metrics: [
      {
        metric: 'a_total',
        matchers: [
          { label: 'x', values: ['1'] },
          { label: 'y', values: ['b', 'c'] },
          { label: 'z', values: [] },
        ],
      },
      { metric: 'b', matchers: [] },
    ],
    labels: ['pool', 'kind'],
  });
});

test('rejects invalid expressions and expressions without a metric', () => {
  for (const wrong of ['sum(', 'rate(a[5m]', 'a by (b)', '{x="1"}', 'a b'])
    assert.throws(() => parsePromql(wrong), /PromQL|without a metric/, wrong);
});
