import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupFiles } from './groupFiles.ts';

test('files of one package share processes, eight each, and those that need one of their own do not', () => {
  const many = Array.from({ length: 9 }, (_, index) => `services/api/src/${index}.test.ts`);
  const others = ['services/core/src/a.test.ts', 'services/core/src/slow.test.ts', 'services/core/src/b.test.ts'];
  const [slow] = others.slice(1);
  assert.deepEqual(
    groupFiles([...many, ...others], (file) => file === slow),
    [many.slice(0, 8), many.slice(8), ['services/core/src/a.test.ts', 'services/core/src/b.test.ts'], [slow]],
  );
  assert.deepEqual(
    groupFiles([], () => false),
    [],
  );
});
