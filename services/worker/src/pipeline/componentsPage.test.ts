import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { componentNames } from '@hearth/contract/vocabulary.ts';

const root = join(import.meta.dirname, '../../../..');
const readSource = (path: string): string => readFileSync(join(root, path), 'utf8');
const page = readSource('docs/docs/dev-guide/components.md');

/** Code and data without tests and what only they use, by their paths in the repository. */
const listSources = (...patterns: readonly string[]): string[] =>
  globSync(patterns, { cwd: root, exclude: (path) => path.includes('node_modules') })
    .filter((path) => !/\.test\.tsx?$|^services\/testkit\//.test(path))
    .toSorted();

/** A source without its comments. */
const codeOf = (path: string): string => readSource(path).replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');

test('the page about adding a component names every place that names CLASSIFICATION, a component without anything special', () => {
  const naming = listSources('services/*/src/**/*.{ts,tsx,json}', 'services/testkit/src/hearth/*.ts')
    .filter((path) => /\bCLASSIFICATION\b/.test(codeOf(path)))
    .map((path) => path.replace('components/things/component.ts', 'components/<name>/component.ts'));
  for (const path of ['services/core/src/config/pipeline.ts', 'services/web/src/locales/de/viewer.json'])
    assert.ok(naming.includes(path), path);
  assert.deepEqual(
    naming.filter((path) => !page.includes(`\`${path}\``)),
    [],
  );
  for (const word of ['componentNames', 'featureOf', 'apiVersion']) assert.ok(page.includes(`\`${word}\``), word);
});

test('what the page names is there', () => {
  const paths = [...page.matchAll(/`((?:services|load-tests)\/[^`<]+)`/g)].map(([, path]) => path!);
  assert.ok(paths.length > 10);
  assert.deepEqual(
    paths.filter((path) => !existsSync(join(root, path))),
    [],
  );
});

test('the page names the files that know a component by name among those that it says work alike for all', () => {
  const knowing = listSources(
    'services/core/src/runs/*.ts',
    'services/api/src/features/jobs/*.ts',
    'services/core/src/queue/*.ts',
    'services/api/src/housekeeping/{jobs,redo,outdatedRuns,switchedOnRuns,sweep}.ts',
    'services/worker/src/pipeline/run*.ts',
  ).filter((path) => componentNames.some((name) => codeOf(path).includes(`'${name}'`)));
  assert.deepEqual(knowing, [
    'services/api/src/housekeeping/switchedOnRuns.ts',
    'services/core/src/runs/wantedRuns.ts',
  ]);
  for (const path of knowing) assert.ok(page.includes(`\`${path.split('/').at(-1)}\``), path);
});
