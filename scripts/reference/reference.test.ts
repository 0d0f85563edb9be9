import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { errorCodes } from '@hearth/contract/errors.ts';
import * as limits from '@hearth/contract/limits.ts';
import { allVariables } from './configurationPage.ts';
import { listLimits } from './limitsPage.ts';
import { table } from './markdown.ts';
import { listReferencePages } from './pages.ts';

test('generated reference pages are up to date (else: npm run docs:reference)', () => {
  for (const [path, text] of listReferencePages()) assert.equal(readFileSync(path, 'utf8'), text, path);
});

test('every variable, error and limit is on its page', () => {
  const [configuration = '', errors = '', numbers = ''] = [...listReferencePages().values()];
  for (const name of allVariables()) assert.ok(configuration.includes(`\`${name}\``), name);
  for (const code of Object.keys(errorCodes)) assert.ok(errors.includes(`\`${code}\``), code);
  for (const name of Object.keys(limits)) assert.ok(numbers.includes(`\`${name}\``), name);
});

test('assigns the comment above to each limit, also to several in a row, and rejects a limit without one', () => {
  const text =
    '/** How many. */\nexport const most = 2;\nexport const least = 1;\n\n/**\n * How\n * long.\n */\nexport const long = 3;\n';
  assert.deepEqual(listLimits(text, { most: 2, least: 1, long: 3 }), [
    { name: 'most', value: 2, description: 'How many.' },
    { name: 'least', value: 1, description: 'How many.' },
    { name: 'long', value: 3, description: 'How long.' },
  ]);
  assert.throws(() => listLimits('export const most = 2;', { most: 2 }), /most has no comment/);
  assert.throws(() => listLimits('', { most: 2 }), /not found in the source: most/);
});

test('escapes cells for MDX and for tables', () => {
  assert.equal(table(['a'], [['x {y} <z> | `{w}`']]).split('\n')[2], String.raw`| x \{y\} \<z> \| ` + '`{w}` |');
});
