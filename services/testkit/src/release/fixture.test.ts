import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { migrate, migrationsDirectory } from '@hearth/core/db/migrate.ts';
import { createTestDatabase, findServer } from '../database/postgres.ts';
import { dumpFixture } from './dumpFixture.ts';
import { fixtureFolder, listColumns, listFixtures, readChecksums, readFixture } from './fixture.ts';
import { restoreFixture } from './restoreFixture.ts';

test('the fixture of today’s schema is current (else: npm run docs:schema)', async () => {
  assert.deepEqual((await readFixture('next')).migrations, await readChecksums(migrationsDirectory));
});

for (const name of await listFixtures())
  test(`the fixture ${name} is small, has rows in every table, and is upgraded with all of them`, async (t) => {
    assert.ok((await stat(join(fixtureFolder, `${name}.json.gz`))).size < 500_000);
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
