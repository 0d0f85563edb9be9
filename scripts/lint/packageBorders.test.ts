import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { relativeImport } from './folderCycles.ts';

const root = join(import.meta.dirname, '../..');

const sources = globSync('{charts,docs,load-tests,operators,scripts,services,tests}/**/*.{ts,tsx,mts,mjs}', {
  cwd: root,
  exclude: (path) => path.includes('node_modules'),
});

/** Returns the package of a file, such as `services/api`, `charts/hearth` or `tests`. */
const getPackage = (path: string): string => /^(?:(?:charts|operators|services)\/)?[^/]+/.exec(path)?.[0] ?? path;

test('imports other packages by name, such as @hearth/core, never by relative path', () => {
  assert.ok(sources.length > 0);
  for (const source of sources)
    for (const [, path = ''] of readFileSync(join(root, source), 'utf8').matchAll(relativeImport))
      assert.equal(getPackage(join(dirname(source), path)), getPackage(source), `${source} imports ${path}`);
});
