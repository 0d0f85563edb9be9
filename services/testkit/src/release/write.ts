import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createMigratedDatabase } from '../database/migratedDatabase.ts';
import { findServer } from '../database/postgres.ts';
import { dumpFixture } from './dumpFixture.ts';
import { fillEveryTable } from './fillEveryTable.ts';
import { fixtureFolder } from './fixture.ts';

/*
 * npm run fixtures:database [-- 0.1.0]: writes the fixture `next`, or that of a release, with rows in every table. Run it before each release, and after
 * each change of a migration.
 */
const name = process.argv[2] ?? 'next';
const database = await createMigratedDatabase();
const url = new URL(await findServer());
url.pathname = new URL(database.url).pathname;
await fillEveryTable(url.href);
const fixture = await dumpFixture(url.href);
await database.drop();
await mkdir(fixtureFolder, { recursive: true });
await writeFile(join(fixtureFolder, `${name}.json.gz`), gzipSync(JSON.stringify(fixture), { level: 9 }));
