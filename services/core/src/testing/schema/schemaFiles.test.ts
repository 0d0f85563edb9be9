import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { after, test } from 'node:test';
import { createMigratedDatabase } from '../migratedDatabase.ts';
import { queryOnce } from '../postgres.ts';
import { schemaFiles } from './schemaFiles.ts';

const { url, drop } = await createMigratedDatabase();
after(drop);

for (const { path, render } of schemaFiles)
  test(`${basename(path)} is what the migrations make (else: npm run docs:schema)`, async () => {
    assert.equal(await readFile(path, 'utf8'), await render(url));
  });

test('every table and every column has a sentence', async () => {
  const silent = await queryOnce<{ name: string }>(
    url,
    `select format('%s.%s', relname, coalesce(attname, '*')) as name
     from pg_class join (
       select attrelid, attnum, attname from pg_attribute where attnum > 0 and not attisdropped
       union all select oid, 0, null from pg_class
     ) as each on attrelid = pg_class.oid
     where relkind = 'r' and relnamespace = 'public'::regnamespace and relname not like 'kysely%'
       and coalesce(case attnum when 0 then obj_description(pg_class.oid, 'pg_class') else col_description(pg_class.oid, attnum) end, '') !~ '[.]$'`,
  );
  assert.deepEqual(silent, []);
});
