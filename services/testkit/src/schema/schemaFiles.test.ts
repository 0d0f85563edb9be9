import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { createMigratedDatabase } from '../database/migratedDatabase.ts';
import { queryOnce } from '../database/postgres.ts';
import { schemaFiles } from './schemaFiles.ts';

const { url, drop } = await createMigratedDatabase();
after(drop);

for (const { path, render } of schemaFiles)
  test(`${basename(path)} is up to date (else: npm run docs:schema)`, async () => {
    assert.equal(await readFile(path, 'utf8'), await render(url));
  });

test('limits migrations to 250 lines, and their comments to 120 characters', async () => {
  const files = globSync(join(import.meta.dirname, '../../../core/migrations', '*.sql'));
  assert.ok(files.length > 0);
  for (const file of files) {
    const lines = (await readFile(file, 'utf8')).split('\n').slice(0, -1);
    assert.ok(lines.length <= 250, `${basename(file)} has ${lines.length} lines`);
    for (const line of lines) assert.doesNotMatch(line, /^(?=.{121}) *--/, basename(file));
  }
});

test('has a comment for every table and column', async () => {
  const undocumented = await queryOnce<{ name: string }>(
    url,
    `select format('%s.%s', relname, coalesce(attname, '*')) as name
     from pg_class join (
       select attrelid, attnum, attname from pg_attribute where attnum > 0 and not attisdropped
       union all select oid, 0, null from pg_class
     ) as each on attrelid = pg_class.oid
     where relkind = 'r' and relnamespace = 'public'::regnamespace and relname not like 'kysely%'
       and coalesce(case attnum when 0 then obj_description(pg_class.oid, 'pg_class') else col_description(pg_class.oid, attnum) end, '') !~ '^\\S+( \\S+){3,}[.]$'`,
  );
  assert.deepEqual(undocumented, []);
});
