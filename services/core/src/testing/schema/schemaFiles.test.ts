import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { after, test } from 'node:test';
import { createMigratedDatabase } from '../migratedDatabase.ts';
import { schemaFiles } from './schemaFiles.ts';

const { url, drop } = await createMigratedDatabase();
after(drop);

for (const { path, render } of schemaFiles)
  test(`${basename(path)} is what the migrations make (else: npm run docs:schema)`, async () => {
    assert.equal(await readFile(path, 'utf8'), await render(url));
  });
