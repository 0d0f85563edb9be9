import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReadResult } from './measureReads.ts';
import { missedReads, readsTable } from './readsTable.ts';

const makeResult = (library: string, readCase: string, ms: number): ReadResult => ({
  library,
  readCase,
  bound: 8,
  growth: 3,
  ms,
  p95Ms: ms,
  versionMs: 1,
});

const small = '10,000';
const oneHour = '45,000 of 49,500 in one hour';
const deep = 'items: page at 90 %';
const byCursor = 'items: page at 90 % by cursor';

test('applies the limit in ms to a deep page by number in the one-hour library, and shows it in the table', () => {
  const results = [
    makeResult(small, deep, 5),
    makeResult(oneHour, deep, 24.9),
    makeResult(small, byCursor, 5),
    makeResult(oneHour, byCursor, 6),
  ];
  assert.deepEqual(missedReads(results), []);
  const rows = readsTable(results, 40).split('\n');
  assert.ok(rows.includes(`| ${deep} | ≤ 8 × or 25 ms | 5.0 × | 24.9 × (24.9 ms) |`), rows.join('\n'));
  assert.ok(rows.includes(`| ${byCursor} | ≤ 8 × | 5.0 × | 6.0 × |`), rows.join('\n'));
});

test('reports every missed bound', () => {
  assert.deepEqual(missedReads([makeResult(small, deep, 5), makeResult(oneHour, deep, 25.1)]), [
    `${deep}, ${oneHour}: 25.1 ms`,
  ]);
  assert.deepEqual(missedReads([makeResult(small, byCursor, 2), makeResult(oneHour, byCursor, 9)]), [
    `${byCursor}, ${oneHour}: 9.0 × GET /version`,
    `${byCursor}, ${oneHour}: 4.5 × the library of ${small}`,
  ]);
});
