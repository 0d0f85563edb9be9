import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

/** The folders that the production files of each folder import from; `.` is `src` itself. */
const listImports = (): ReadonlyMap<string, ReadonlySet<string>> => {
  const imports = new Map<string, Set<string>>();
  const files = globSync('**/*.ts', { cwd: import.meta.dirname });
  for (const file of files.filter((path) => !/\.test\.ts$|(^|\/)testing\//.test(path))) {
    const from = dirname(file);
    const imported = imports.get(from) ?? imports.set(from, new Set()).get(from)!;
    const source = readFileSync(join(import.meta.dirname, file), 'utf8');
    for (const [, path] of source.matchAll(/(?:from |import\()'(\.{1,2}\/[^']+)'/g)) {
      const to = dirname(join(from, path!));
      if (to !== from) imported.add(to);
    }
  }
  return imports;
};

test('folders of the worker import in one direction: none reaches itself through others', () => {
  const imports = listImports();
  assert.ok(imports.size > 10, 'the folders are found');
  for (const folder of imports.keys()) {
    const reached = new Set(imports.get(folder));
    for (const next of reached) for (const further of imports.get(next) ?? []) reached.add(further);
    assert.ok(!reached.has(folder), `${folder} imports itself through ${[...reached].join(', ')}`);
  }
});
