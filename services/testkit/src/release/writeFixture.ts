import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createMigratedDatabase } from '../database/migratedDatabase.ts';
import { findServer } from '../database/postgres.ts';
import { dumpFixture } from './dumpFixture.ts';
import { fillEveryTable } from './fillEveryTable.ts';
import { fixtureFolder } from './fixture.ts';

/** Writes the fixture with this name, with rows in every table. */
export const writeFixture = async (name: string): Promise<void> => {
  const database = await createMigratedDatabase();
  const url = new URL(await findServer());
  url.pathname = new URL(database.url).pathname;
  await fillEveryTable(url.href);
  const fixture = await dumpFixture(url.href);
  await database.drop();
  await mkdir(fixtureFolder, { recursive: true });
  await writeFile(join(fixtureFolder, `${name}.json.gz`), gzipSync(JSON.stringify(fixture), { level: 9 }));
};
