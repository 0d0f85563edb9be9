import { parseArgs } from 'node:util';
import { listUsers } from '@hearth/api/accounts/users.ts';
import { openDatabase } from '@hearth/core/db/database.ts';
import { fillDatabase } from '@hearth/testkit/libraries/fillDatabase.ts';

/*
 * npm run bench:fill -- --database URL [--items 1000000]: fills a migrated database with a realistic library of fifteen
 * years for each user, by SQL.
 * The first user by name gets `--items` items, each further user a tenth of the previous one. Existing rows stay. No
 * image files are written.
 */
const { values } = parseArgs({
  options: { database: { type: 'string' }, items: { type: 'string', default: '1000000' } },
});
if (values.database === undefined) throw new Error('--database is required: the database to fill');

/** Maximum number of users that get a library, in order of their names. */
const maxUsers = 5;

const db = openDatabase({ url: values.database, maxConnections: 1, onError: () => undefined });
const { entries: users } = await listUsers(db, { limit: maxUsers, start: { number: 1 } });
await db.destroy();
const libraries = users.map(({ id, username }, index) => ({
  userId: id,
  username,
  items: Math.ceil(Number(values.items) / 10 ** index),
}));
await fillDatabase(values.database, libraries);
for (const { username, items } of libraries) console.log(`added ${items.toLocaleString('en')} items to ${username}`);
