import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { allVariables } from '../../scripts/reference/configurationPage.ts';
import { readPages } from './pages.ts';

const checkout = join(import.meta.dirname, '../..');
const guide = readPages('user-guide');

/** Variables that are no settings of a process: of the web app while it is developed, of load tests. */
const otherVariables = new Set(['HEARTH_API_URL']);

const sources = globSync('{services,operators}/*/src/**/*.{ts,tsx}', { cwd: checkout })
  .filter((file) => !/\.test\.tsx?$|\/testing\//.test(file))
  .map((file) => readFileSync(join(checkout, file), 'utf8'))
  .join('\n')
  // Sentences that are longer than a line of code are put together there.
  .replaceAll(/['`] \+\s+['`]/g, '');

const words = globSync('services/web/src/locales/en/*.json', { cwd: checkout })
  .map((file) => readFileSync(join(checkout, file), 'utf8'))
  .join('\n')
  .replaceAll('’', "'");

test('every variable that the user guide names is a setting', () => {
  const known = new Set([...allVariables(), ...otherVariables]);
  for (const { id, text } of guide)
    for (const [, name = ''] of text.matchAll(/\b(HEARTH_[A-Z0-9_]*[A-Z0-9])\b(?!\*|_)/g))
      assert.ok(known.has(name) || known.has(name.replace(/_FILE$/, '')), `${id} names ${name}`);
});

test('every metric that the user guide names is exported', () => {
  const metrics = readFileSync(join(checkout, 'docs/docs/admin-guide/metrics.md'), 'utf8');
  let count = 0;
  for (const { id, text } of guide)
    for (const [, name = ''] of text.matchAll(/\b(hearth_[a-z_]+)\b/g)) {
      assert.ok(metrics.includes(`\`${name}\``), `${id} names ${name}`);
      count += 1;
    }
  assert.ok(count >= 12);
});

test('every line of the log by which the user guide proves something is written by the code', () => {
  let count = 0;
  for (const { id, text } of guide)
    for (const [, line = ''] of text.matchAll(/\blogs?(?: at `\w+`)?(?: says)?:? `([^`]+)`/g)) {
      assert.ok(sources.includes(line), `${id}: the log never says “${line}”`);
      count += 1;
    }
  assert.ok(count >= 8);
});

test('every sentence of the web app that troubleshooting quotes is one of its words', () => {
  const { text } = guide.find(({ id }) => id === 'user-guide/troubleshooting')!;
  const quoted = [...text.matchAll(/"([A-Z][^"…]{12,}?)(?: …)?"/g)].map(([, sentence = '']) => sentence);
  assert.ok(quoted.length >= 10);
  for (const sentence of quoted) assert.ok(words.includes(sentence) || sources.includes(sentence), sentence);
});
