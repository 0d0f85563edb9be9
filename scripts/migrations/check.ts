import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readMigrations } from '@hearth/core/db/migrationFiles.ts';
import { findReleaseProblems, type ReleasedMigrations } from './releasedMigrations.ts';

/*
 * node scripts/migrations/check.ts [FOLDER]: fails if a released migration has changed. The folder's released.json lists the released ones; each release
 * adds its own (npm run release:migrations).
 */
const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '..', '..', 'services', 'core', 'migrations'));
const released = JSON.parse(await readFile(join(folder, 'released.json'), 'utf8')) as ReleasedMigrations;
const problems = findReleaseProblems(released, await readMigrations(folder));
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
