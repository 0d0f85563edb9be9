import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { formatsPage, putTables } from '@hearth/testkit/mediaSet/formatsTable.ts';

/** Markdown without the characters that only align it. */
const plain = (text: string): string => text.replaceAll(/-{3,}/g, '---').replaceAll(/ +/g, ' ');

test('the tables of formats in the guide are what the code does (else: npm run docs:formats)', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../..', formatsPage), 'utf8');
  assert.equal(plain(page), plain(putTables(page)));
});
