import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { allVariables } from '@hearth/scripts/reference/configurationPage.ts';

// The site's build checks links between pages. These tests check what it does not cover: the README, and references
// from pages to the repository.

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/docs/{user,admin,dev}-guide/**/*.md', { cwd: root })];

/** Lists all matches of the pattern's first group, by page. */
const listNamed = (
  pattern: RegExp,
  among: readonly string[] = pages,
): readonly (readonly [page: string, name: string])[] =>
  among.flatMap((page) => [...read(page).matchAll(pattern)].map(([, name = '']) => [page, name] as const));

test('relative links lead to existing files', () => {
  const decisions = globSync('docs/docs/decisions/*.md', { cwd: root });
  for (const [page, path] of listNamed(/\]\((?!\w+:)([^)#]+)[^)]*\)/g, [...pages, ...decisions]))
    assert.ok(existsSync(join(root, dirname(page), path)), `${page} links to ${path}`);
});

/** Paths that are generated, and therefore not in the repository. */
const outputs = new Set(['docs/build', 'load-tests/k6/reports']);

test('paths named on pages exist', () => {
  for (const [page, path] of listNamed(/`((?:services|operators|scripts|load-tests|tests|docs|charts)\/[^`<*…{\s]+)`/g))
    assert.ok(outputs.has(path) || existsSync(join(root, path)), `${page} names ${path}`);
});

test('npm scripts named on pages exist', () => {
  const manifests = ['package.json', 'operators/queue-scaler/package.json'].map(
    (path) => JSON.parse(read(path)) as { readonly scripts: object },
  );
  const scripts = new Set(manifests.flatMap((each) => Object.keys(each.scripts)));
  for (const [page, name] of listNamed(/\bnpm run ([a-z][\w-]*(?::[\w-]+)*)/g))
    assert.ok(scripts.has(name), `${page} names npm run ${name}`);
});

test('variables and metrics named in the user guide exist', () => {
  // HEARTH_API_URL is a variable of the web app's development server.
  const variables = new Set([...allVariables(), 'HEARTH_API_URL']);
  const metrics = read('docs/docs/admin-guide/metrics.md');
  for (const [page, name] of listNamed(/\b(HEARTH_[A-Z0-9_]*[A-Z0-9]|hearth_[a-z_]+)\b(?!\*|_)/g)) {
    if (!page.includes('user-guide')) continue;
    const exists = name.startsWith('hearth')
      ? metrics.includes(`\`${name}\``)
      : variables.has(name.replace(/_FILE$/, '')) || variables.has(name);
    assert.ok(exists, `${page} names ${name}`);
  }
});

test('files and test files named in the ASVS table exist', () => {
  const [met = ''] = read('docs/docs/dev-guide/asvs.md').split('\n## Not met');
  const rows = [...met.matchAll(/^\| \d[^|]*\|[^|]+\| `([^`]+)` +\| `([^`]+\.test\.tsx?)` +\|$/gm)];
  assert.equal(rows.length, met.match(/^\| \d/gm)?.length, 'each row names a file and a test file');
  for (const path of rows.flatMap(([, code = '', testFile = '']) => [code, testFile]))
    assert.ok(existsSync(join(root, path)), `${path} does not exist`);
});

test('every reference to a titled note has exactly one definition', () => {
  const texts = globSync('{services,scripts,load-tests,tests}/**/*.{ts,mjs,sql}', {
    cwd: root,
    exclude: (path) => path.includes('node_modules'),
  }).map(read);
  const list = (pattern: RegExp): readonly (string | undefined)[] =>
    texts.flatMap((text) => [...text.matchAll(pattern)].map(([, title]) => title));
  const defined = list(/^\s*(?:\*|--|\/\/) \[Note: ([^\]]+)\]/gm);
  for (const title of new Set(list(/\[Note: ([^\]]+)\]/g)))
    assert.equal(defined.filter((each) => each === title).length, 1, `[Note: ${title}]`);
});
