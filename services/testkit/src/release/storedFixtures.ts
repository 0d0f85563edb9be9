import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzipSync } from 'node:zlib';
import { createMigratedDatabase } from '../database/migratedDatabase.ts';
import { findServer } from '../database/postgres.ts';
import { dumpFixture } from './dumpFixture.ts';
import { fillEveryTable } from './fillEveryTable.ts';
import type { DatabaseFixture } from './fixture.ts';

/** Folder of the fixtures of releases. Their names are the versions. */
const folder = join(import.meta.dirname, 'fixtures');

const getPath = (version: string): string => join(folder, `${version}.json.gz`);

/** Returns the released versions, and `next`. `readFixture` makes the fixture `next` from today's schema. */
export const listFixtures = async (): Promise<string[]> => {
  const files = existsSync(folder) ? await readdir(folder) : [];
  return [...files.map((file) => basename(file, '.json.gz')).toSorted(), 'next'];
};

export const readFixture = async (name: string): Promise<DatabaseFixture> => {
  if (name === 'next') return makeFixture();
  return JSON.parse((await promisify(gunzip)(await readFile(getPath(name)))).toString()) as DatabaseFixture;
};

/** Writes a fixture of today's schema, with rows in every table, for the version `name`. */
export const writeFixture = async (name: string): Promise<void> => {
  await mkdir(folder, { recursive: true });
  await writeFile(getPath(name), gzipSync(JSON.stringify(await makeFixture()), { level: 9 }));
};

const makeFixture = async (): Promise<DatabaseFixture> => {
  const database = await createMigratedDatabase();
  const url = new URL(await findServer());
  url.pathname = new URL(database.url).pathname;
  await fillEveryTable(url.href);
  const fixture = await dumpFixture(url.href);
  await database.drop();
  return fixture;
};
