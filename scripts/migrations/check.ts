import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readMigrations } from '@hearth/core/db/migrationFiles.ts';
import { readChecksums, readFixture } from '@hearth/testkit/release/fixture.ts';
import { findReleaseProblems, type ReleasedMigrations } from './releasedMigrations.ts';

/*
 * node scripts/migrations/check.ts [FOLDER]: fails if a released migration has changed. The folder's released.json lists the released ones; each release
 * adds its own (npm run release:migrations).
 */
const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '..', '..', 'services', 'core', 'migrations'));
const released = JSON.parse(await readFile(join(folder, 'released.json'), 'utf8')) as ReleasedMigrations;
const problems = findReleaseProblems(released, await readMigrations(folder));
if (process.argv[2] === undefined) {
  const { migrations } = await readFixture('next');
  if (!isDeepStrictEqual(migrations, await readChecksums(folder)))
    problems.push('the fixture of today\u2019s schema is out of date: npm run docs:schema');
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
