import { openDatabase } from '@hearth/core/db/database.ts';
import { buildUser } from '../rows/factories.ts';
import { fillDatabase } from '../libraries/fillDatabase.ts';
import { queryOnce } from '../database/postgres.ts';
import { listColumns } from './fixture.ts';

/** Username of the account that owns the items in a filled database. */
export const fixtureUser = 'family';

/**
 * Fills a migrated database with two users and a library of the first one, and inserts one row into every table that is
 * still empty. The values follow from column types, check constraints and foreign keys, so a new table gets a row
 * automatically.
 * @param url the superuser's URL of the database
 */
export const fillEveryTable = async (url: string): Promise<void> => {
  const db = openDatabase({ url, maxConnections: 1, onError: () => undefined });
  const { id } = await buildUser(db, { username: fixtureUser });
  await buildUser(db, { username: 'robin' });
  await db.destroy();
  await fillDatabase(url, [{ userId: id, items: 60, scans: 5 }]);
  // The original of an item is the text of its id, so that a test can create the objects.
  await queryOnce(
    url,
    `update media_items set size_bytes = 36, checksum = sha256(id::text::bytea), preview_key = null, thumbnail_key = null`,
  );
  let failed: string[] = [];
  // Twice, because a row may refer to a table that gets its row later.
  for (let round = 0; round < 2; round++) {
    failed = [];
    for (const table of (await listColumns(url)).keys()) {
      const [row] = await queryOnce(url, `select from "${table}" limit 1`);
      if (row === undefined)
        await insertRow(url, table).catch((error: Error) => failed.push(`${table}: ${error.message}`));
    }
  }
  if (failed.length > 0)
    throw new Error(`no rows in tables; add their required values to specialValues: ${failed.join('; ')}`);
};

interface RequiredColumn {
  readonly name: string;
  readonly type: string;
  /** A value allowed by a check constraint; null without one. */
  readonly allowedValue: string | null;
  /** Table and column of its foreign key. */
  readonly target: string | null;
  readonly targetColumn: string | null;
}

const insertRow = async (url: string, table: string): Promise<void> => {
  const columns = await queryOnce<RequiredColumn>(url, requiredColumnsSql, [table]);
  const values = columns.map((column) => makeValue(table, column));
  const names = columns.map(({ name }) => `"${name}"`);
  await queryOnce(
    url,
    names.length === 0
      ? `insert into "${table}" default values`
      : `insert into "${table}" (${names.join(', ')}) values (${values.join(', ')})`,
  );
};

/** SQL of values that have to satisfy a check constraint together, or make a row plausible. */
const specialValues: Readonly<Record<string, string>> = {
  'media_item_embeddings.embedding': `decode(repeat('003c', 512), 'hex')`,
  'embedding_signatures.signature': `repeat('1', 512)::bit(512)`,
};

const makeValue = (table: string, { name, type, allowedValue, target, targetColumn }: RequiredColumn): string => {
  const special = specialValues[`${table}.${name}`];
  if (special !== undefined) return special;
  if (target !== null) return `(select "${targetColumn}" from "${target}" limit 1)`;
  if (allowedValue !== null) return `'${allowedValue}'`;
  if (name === 'media_item_id') return '(select id from media_items limit 1)';
  if (name === 'user_id') return `(select id from users where username = '${fixtureUser}')`;
  if (type.endsWith('[]')) return `'{}'`;
  return valuesByType[type] ?? '1';
};

const valuesByType: Readonly<Record<string, string>> = {
  uuid: 'gen_random_uuid()',
  text: `'made'`,
  boolean: 'true',
  bytea: `sha256('made')`,
  jsonb: `'{}'`,
  inet: `'192.0.2.1'`,
  cidr: `'192.0.2.0/24'`,
  date: 'current_date',
  xid8: 'pg_current_xact_id()',
  'timestamp with time zone': 'now()',
  'timestamp without time zone': 'localtimestamp',
};

const requiredColumnsSql = `
  select attname as name, format_type(atttypid, null) as type,
    (select (regexp_match(pg_get_constraintdef(oid), '''([^'']*)''::text'))[1] from pg_constraint
      where conrelid = attrelid and contype = 'c' and attnum = any (conkey)
        and pg_get_constraintdef(oid) like '%= ANY (ARRAY[%' limit 1) as "allowedValue",
    reference.target, reference."targetColumn"
  from pg_attribute
  left join lateral (
    select confrelid::regclass::text as target, (
      select attname from pg_attribute as target_attribute where attrelid = confrelid and attnum = confkey[array_position(conkey, pg_attribute.attnum)]
    ) as "targetColumn"
    from pg_constraint where conrelid = attrelid and contype = 'f' and pg_attribute.attnum = any (conkey) limit 1
  ) as reference on true
  where attrelid = format('%I', $1::text)::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = ''
    and attnotnull and not atthasdef
  order by attnum`;
