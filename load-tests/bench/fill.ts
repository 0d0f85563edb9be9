import { parseArgs } from 'node:util';
import { listUsers } from '@hearth/api/accounts/users.ts';
import { openDatabase } from '@hearth/core/db/database.ts';
import { fillDatabase } from '@hearth/testkit/libraries/fillDatabase.ts';

/*
 * npm run bench:fill -- --database URL [--items 1000000]: fills an installation's migrated database by SQL with a realistic library of
 * fifteen years for each of its users: the first by name has all of `--items`, each further one a tenth of the one before. The pictures themselves
 * are not there; what has been there before stays.
 */
const { values } = parseArgs({
  options: { database: { type: 'string' }, items: { type: 'string', default: '1000000' } },
});
if (values.database === undefined) throw new Error('--database must say which database to fill');

/** Users who get a library, by name. */
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
for (const { username, items } of libraries) console.log(`${username} has ${items.toLocaleString('en')} items more`);
