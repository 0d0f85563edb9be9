import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

process.chdir(join(import.meta.dirname, '../..'));

const sources = globSync('{services,scripts,load-tests}/**/*.{ts,mjs,sql}', {
  exclude: (path) => path.includes('node_modules'),
});

test('every file that the life of a photo names exists and can be read in order', () => {
  const design = readFileSync('docs/docs/dev-guide/design-document.md', 'utf8');
  const files = [...design.matchAll(/^\| \d+\s+\|.*`((?:services|load-tests)\/[^`]+)`\s*\|$/gm)].map(
    ([, file = '']) => file,
  );
  assert.ok(files.length >= 16);
  for (const file of files) {
    assert.ok(existsSync(file), `${file} does not exist`);
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n').length;
    assert.ok(lines <= 150, `${file} has ${lines} lines`);
  }
});

test('every file that the recipes and the glossary name exists, and each word is explained once', () => {
  for (const [page, least] of [
    ['CONTRIBUTING.md', 5],
    ['docs/docs/dev-guide/contribution.md', 60],
    ['docs/docs/dev-guide/glossary.md', 25],
  ] as const) {
    const named = [
      ...readFileSync(page, 'utf8').matchAll(/`((?:services|operators|scripts|load-tests|docs|charts)\/[^`<*…]+)`/g),
    ].map(([, path = '']) => path);
    assert.ok(named.length >= least, page);
    for (const path of named) assert.ok(existsSync(path), `${page} names ${path}`);
  }
  const glossary = readFileSync('docs/docs/dev-guide/glossary.md', 'utf8');
  const rows = [...glossary.matchAll(/^\| (?!word |-)([^|]+?) +\|.*\|$/gm)];
  const words = rows.flatMap(([, word = '']) => word.split(', '));
  assert.deepEqual(words, [...new Set(words)]);
  for (const [row, word] of rows) assert.match(row, /\| `[^`]+` +\|$/, `a file for ${word}`);
  assert.ok(words.length >= 60);
});

test('every name that a recipe looks for in a file is there', () => {
  const recipes = readFileSync('docs/docs/dev-guide/contribution.md', 'utf8');
  const named = [
    ...recipes.matchAll(/`(\w+)`\s+(?:in|of)\s+`((?:services|operators|scripts|load-tests|charts)\/[^`<*…]+\.\w+)`/g),
  ];
  assert.ok(named.length >= 10);
  for (const [, name = '', path = ''] of named) {
    assert.ok(readFileSync(path, 'utf8').includes(name), `${path} has no ${name}`);
  }
});

test('every reference to a titled note has exactly one definition', () => {
  const texts = sources.map((path) => readFileSync(path, 'utf8'));
  const defined = texts.flatMap((text) =>
    [...text.matchAll(/^\s*(?:\*|--|\/\/) \[Note: ([^\]]+)\]/gm)].map(([, title]) => title),
  );
  const named = texts.flatMap((text) => [...text.matchAll(/\[Note: ([^\]]+)\]/g)].map(([, title]) => title));
  for (const title of new Set(named)) {
    assert.equal(defined.filter((each) => each === title).length, 1, `[Note: ${title}]`);
  }
});

test('every link of the README and the guide leads to a file that is there', () => {
  for (const page of ['README.md', 'CONTRIBUTING.md', ...globSync('docs/docs/**/*.md')]) {
    for (const [, target = ''] of readFileSync(page, 'utf8').matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)) {
      const path = new URL(target, new URL(page, 'file:///')).pathname.slice(1);
      assert.ok(existsSync(path), `${page} links to ${path}`);
    }
  }
});

test('every file that starts a process is in the table of their bounds', () => {
  const starters = globSync('services/*/src/**/*.ts')
    .filter((path) => !/\.test\.ts$|\/testing\//.test(path))
    .filter((path) =>
      /import \{[^}]*\b(?:spawn|fork|exec|execFile|spawnSync|execFileSync)\b[^}]*\} from 'node:child_process'/.test(
        readFileSync(path, 'utf8'),
      ),
    );
  const table = readFileSync('docs/docs/dev-guide/processes.md', 'utf8');
  const named = [...table.matchAll(/`(services\/[^`]+\.ts)`/g)].map(([, path = '']) => path);
  assert.deepEqual(
    starters.filter((path) => !named.includes(path)),
    [],
    'add it to docs/docs/dev-guide/processes.md, with its bounds',
  );
  assert.ok(starters.length >= 6);
  for (const path of named) assert.ok(existsSync(path), path);
});

test('every file and test that the table of the ASVS names is there', () => {
  const page = readFileSync('docs/docs/dev-guide/asvs.md', 'utf8');
  const rows = [...page.matchAll(/^\| \d[^|]*\|[^|]+\| `([^`]+)` +\| `([^`]+\.test\.ts)`: ([^|]+?) +\|$/gm)];
  const [met = ''] = page.split('\n## Not met');
  assert.equal(rows.length, met.match(/^\| \d/gm)?.length, 'each row names a file and a test');
  assert.ok(rows.length >= 40);
  for (const [, file = '', testFile = '', name = ''] of rows) {
    assert.ok(existsSync(file), `${file} does not exist`);
    assert.ok(existsSync(testFile), `${testFile} does not exist`);
    assert.ok(readFileSync(testFile, 'utf8').includes(name), `${testFile} has no test “${name}”`);
  }
});
