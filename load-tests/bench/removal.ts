import { parseArgs } from 'node:util';
import { deleteAccount, removeRowsOfAccount } from '@hearth/api/accounts/accountRemoval.ts';
import { openDatabase, transaction, type Database } from '@hearth/core/db/database.ts';
import { markUserForRemoval } from '@hearth/api/accounts/users.ts';
import { buildUser } from '@hearth/testkit/rows/factories.ts';
import { fillDatabase } from '@hearth/testkit/libraries/fillDatabase.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { describeMachine, publishTable, formatToday } from '@hearth/testkit/figures/publish.ts';

/*
 * npm run bench:removal [-- --items 10000,100000,1000000 --publish]
 *
 * Measures how long it takes to delete the rows of an account, and in how many transactions. It also reports the longest
 * transaction, which may block others. A second account with a tenth of the items is kept.
 */
const { values } = parseArgs({
  options: { items: { type: 'string', default: '10000,100000' }, publish: { type: 'boolean', default: false } },
});

const measure = async (items: number): Promise<string> => {
  const database = await createMigratedDatabase();
  const db = openDatabase({ url: database.url, maxConnections: 2, onError: () => undefined });
  try {
    const [leaving, staying] = [await buildUser(db), await buildUser(db)];
    await fillDatabase(database.url, [
      { userId: leaving.id, items },
      { userId: staying.id, items: items / 10 },
    ]);
    await markUserForRemoval(db, leaving.id);
    /** Duration of each transaction, in ms. */
    const times: number[] = [];
    const timed = async <Result>(work: (trx: Database) => Promise<Result>): Promise<Result> => {
      const begunAt = performance.now();
      const result = await transaction(db, work);
      times.push(performance.now() - begunAt);
      return result;
    };
    const begunAt = performance.now();
    await Array.fromAsync(removeRowsOfAccount(timed, leaving.id));
    if (!(await timed((trx) => deleteAccount(trx, leaving.id)))) throw new Error('the account is not empty');
    const seconds = (performance.now() - begunAt) / 1_000;
    const longest = Math.max(...times);
    const row = `| ${items.toLocaleString('en')} | ${seconds.toFixed(1)} s | ${times.length.toLocaleString('en')} | ${longest.toFixed(0)} ms |`;
    console.log(row);
    return row;
  } finally {
    await db.destroy();
    await database.drop();
  }
};

const rows: string[] = [];
for (const items of values.items.split(',')) rows.push(await measure(Number(items)));

const table = [
  '| items | duration | transactions | longest transaction |',
  '| ----- | -------- | ------------ | ------------------- |',
  ...rows,
  '',
  `${describeMachine()}, ${formatToday()}.`,
].join('\n');
await publishTable('bench:removal', table, values);
process.exit(0);
