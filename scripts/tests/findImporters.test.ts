import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { findImporters } from './findImporters.ts';

test('finds files that import a module directly, through a package, and through a cycle', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'hearth-importers-'));
  t.after(() => rm(root, { recursive: true }));
  const modules = {
    'services/kit/package.json': '{ "name": "@hearth/kit" }',
    'services/kit/src/data.ts': '',
    'services/kit/src/one.ts': "import './other.ts'; export * from './data.ts';",
    'services/kit/src/other.ts': "import { one } from './one.ts';",
    'a.test.ts': "import { data } from '@hearth/kit/data.ts';",
    'b.test.ts': "import type { Other } from '@hearth/kit/other.ts';",
    'c.test.ts': "const { data } = await import('./services/kit/src/data.ts');",
    'd.test.ts': "import { test } from 'node:test'; import { gone } from './gone.ts';",
  };
  for (const [path, text] of Object.entries(modules)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  const files = ['a.test.ts', 'b.test.ts', 'c.test.ts', 'd.test.ts'];
  assert.deepEqual(findImporters(root, files, 'services/kit/src/data.ts'), ['a.test.ts', 'b.test.ts', 'c.test.ts']);
});
