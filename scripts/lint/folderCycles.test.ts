import assert from 'node:assert/strict';
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { findFolderCycle, joinSubfolders, readFolderGraph } from './folderCycles.ts';

const project = join(import.meta.dirname, '../..');

/** Source trees whose folders must not import each other in a cycle. */
const layered = [
  'services/api/src',
  'services/contract/src',
  'services/core/src',
  'services/inference/src',
  'services/web/src',
  'services/worker/src',
  'operators/queue-scaler/src',
  'load-tests',
  'tests',
  'scripts',
];

for (const root of layered) {
  test(`no folders of ${root} form an import cycle`, () => {
    const graph = readFolderGraph(join(project, root));
    assert.ok(graph.size > 0);
    assert.deepEqual(findFolderCycle(graph), undefined);
  });
}

test('features of the API do not import each other in a cycle', () => {
  const features = joinSubfolders(readFolderGraph(join(project, 'services/api/src/features')));
  assert.ok(features.has('albums'));
  assert.deepEqual(findFolderCycle(features), undefined);
});

const tree = mkdtempSync(join(tmpdir(), 'hearth-folders-'));
after(() => rmSync(tree, { recursive: true }));

test('finds a cycle between folders without a cycle between files', () => {
  const write = (path: string, text: string): void => {
    mkdirSync(join(tree, path, '..'), { recursive: true });
    writeFileSync(join(tree, path), text);
  };
  write('main.ts', "import { a } from './a/a.ts';");
  write('a/a.ts', "import type {\n  B,\n} from '../b/b.ts';");
  write('b/b.ts', 'export interface B {}');
  write('b/b.test.ts', "import '../c/c.ts';");
  write('c/c.ts', "export * from '../a/other.ts';");
  assert.deepEqual(findFolderCycle(readFolderGraph(tree)), undefined);
  write('b/other.ts', "const c = await import('../c/c.ts');");
  assert.deepEqual(findFolderCycle(readFolderGraph(tree)), ['a', 'b', 'c', 'a']);
});

test('finds a cycle of top-level folders through their subfolders', () => {
  const graph = new Map([
    ['a/inner', new Set(['b'])],
    ['b', new Set(['a'])],
    ['a', new Set(['a/inner'])],
  ]);
  assert.deepEqual(findFolderCycle(joinSubfolders(graph)), ['a', 'b', 'a']);
});
