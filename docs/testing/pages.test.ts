import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { leastWords, listPages } from '../../scripts/site/pages.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

test('the pages that are made of the tree are fresh', () => {
  const oxfmt = join(root, 'node_modules/.bin/oxfmt');
  for (const [path, text] of listPages()) {
    const input = `${text}\n`;
    const formatted = execFileSync(oxfmt, [`--stdin-filepath=${path}`], { cwd: root, input, encoding: 'utf8' });
    assert.equal(read(path), formatted, `${path} is stale: npm run docs:pages`);
  }
});

test('the index of decisions says of each in a sentence what it is about', () => {
  const entries = [
    ...read('docs/docs/decisions/README.md').matchAll(/^- \[.+?\]\(\d{4}-[\w-]+\.md\): (.+(?:\n  .+)*)$/gm),
  ];
  assert.ok(entries.length >= 60);
  for (const [entry, sentence = ''] of entries) {
    assert.ok(sentence.split(/\s+/).length >= leastWords && /\w/.test(sentence), entry);
    assert.doesNotMatch(sentence, /^Decision\b|\\$|---/, entry);
  }
});
