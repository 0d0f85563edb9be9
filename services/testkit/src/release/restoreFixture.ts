import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import pg from 'pg';
import { migrate, migrationsDirectory } from '@hearth/core/db/migrate.ts';
import { listColumns, readChecksums, type DatabaseFixture } from './fixture.ts';

/**
 * Restores the database of a release into an empty one: applies the migrations of the release and inserts the rows.
 * @param url the owner's URL of the empty database
 * @param superuserUrl the superuser's URL of the same database, to disable triggers and foreign keys during the inserts
 * @throws Error if a migration of the fixture has changed in the code
 */
export const restoreFixture = async (fixture: DatabaseFixture, url: string, superuserUrl: string): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-fixture-'));
  try {
    for (const file of await readdir(migrationsDirectory))
      if (basename(file, '.sql') in fixture.migrations) await cp(join(migrationsDirectory, file), join(folder, file));
    const checksums = await readChecksums(folder);
    for (const [name, sha256] of Object.entries(fixture.migrations))
      if (checksums[name] !== sha256)
        throw new Error(`the fixture was made with a different version of migration ${name}`);
    await migrate(url, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    await client.query('begin; set local session_replication_role = replica');
    for (const [table, columns] of await listColumns(superuserUrl)) {
      const names = columns.map((name) => `"${name}"`).join(', ');
      await client.query(`delete from "${table}"`);
      await client.query(
        `insert into "${table}" (${names}) overriding system value
         select ${names} from jsonb_populate_recordset(null::"${table}", $1::jsonb)`,
        [fixture.tables[table] ?? '[]'],
      );
    }
    const { rows } = await client.query<{ next: string }>(findSequences);
    for (const { next } of rows) await client.query(next);
    await client.query('commit');
  } finally {
    await client.end();
  }
};

/** Query for statements that set the sequences of identity columns to values after those of the rows. */
const findSequences = `
  select format('select setval(pg_get_serial_sequence(%L, %L), (select coalesce(max(%I), 0) + 1 from %I))', relname, attname, attname, relname) as next
  from pg_attribute join pg_class on pg_class.oid = attrelid
  where relkind = 'r' and relnamespace = 'public'::regnamespace and attidentity <> ''`;
