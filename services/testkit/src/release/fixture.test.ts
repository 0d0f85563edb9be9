import assert from 'node:assert/strict';
import { test } from 'node:test';
import { migrate } from '@hearth/core/db/migrate.ts';
import { createTestDatabase, findServer } from '../database/postgres.ts';
import { dumpFixture } from './dumpFixture.ts';
import { listColumns } from './fixture.ts';
import { listFixtures, readFixture } from './storedFixtures.ts';
import { restoreFixture } from './restoreFixture.ts';

for (const name of await listFixtures())
  test(`upgrades fixture ${name}, which has rows in every table, without losing any`, async (t) => {
    const fixture = await readFixture(name);
    const database = await createTestDatabase();
    t.after(() => database.drop());
    const superuserUrl = new URL(await findServer());
    superuserUrl.pathname = new URL(database.url).pathname;
    await restoreFixture(fixture, database.url, superuserUrl.href);
    const tables = [...(await listColumns(database.url)).keys()];
    assert.deepEqual(
      tables.filter((table) => (fixture.tables[table] ?? '[]') === '[]'),
      [],
    );
    assert.deepEqual((await dumpFixture(superuserUrl.href)).tables, fixture.tables);
    await migrate(database.url);
    for (const [table, rows] of Object.entries((await dumpFixture(superuserUrl.href)).tables))
      assert.ok(rows !== '[]' || !tables.includes(table), `${table} is empty after the upgrade`);
  });
