import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFigures } from './figures.ts';

test('reads numbers with sign and unit from tables', () => {
  const { measured, tables } = readFigures(
    'bench:any',
    '\n2026-01-02: somewhere.\n\n| | wanted | one | two |\n| --- | ---: | ---: | --- |\n| `a` b | ≤ 8 ×, ≤ 25 ms in an hour | 1,234.5 ms | |\n| c | | 22.3 × (11.0 ms) | none |\n',
  );
  assert.equal(measured, '2026-01-02: somewhere.');
  assert.deepEqual(tables, [
    {
      columns: ['wanted', 'one', 'two'],
      rows: [
        { label: '`a` b', cells: [{ sign: '≤', value: 8, unit: '×' }, { value: 1234.5, unit: 'ms' }, null] },
        { label: 'c', cells: [null, { value: 22.3, unit: '×' }, null] },
      ],
    },
  ]);
});
