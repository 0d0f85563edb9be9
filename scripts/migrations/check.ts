import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readMigrations, type MigrationFile } from '@hearth/core/db/migrationFiles.ts';

/*
 * node scripts/migrations/check.ts [FOLDER]: fails if a released migration has changed. Released migrations are listed
 * in the folder's released.json, which each release extends (npm run release:migrations).
 */

/** SHA-256 of the released migrations by name, as computed by `readMigrations`. */
type ReleasedMigrations = Readonly<Record<string, string>>;

/**
 * Returns a message for each released migration that has changed, and for each new one that does not come after them.
 */
const findReleaseProblems = (released: ReleasedMigrations, files: readonly MigrationFile[]): string[] => {
  const checksums = new Map(files.map(({ name, sha256 }) => [name, sha256]));
  const changed = Object.entries(released).flatMap(([name, sha256]) => {
    const found = checksums.get(name);
    if (found === undefined)
      return [`${name}.sql was released and is missing: restore it, and add a migration instead`];
    return found === sha256
      ? []
      : [`${name}.sql was released and has changed: restore it, and add a migration instead`];
  });
  const last = Object.keys(released).toSorted().at(-1);
  const early = files.filter(({ name }) => last !== undefined && !(name in released) && name < last);
  return [
    ...changed,
    ...early.map(
      ({ name }) => `${name}.sql is new and sorts before ${last}, which was released: give it a higher number`,
    ),
  ];
};

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '..', '..', 'services', 'core', 'migrations'));
const released = JSON.parse(await readFile(join(folder, 'released.json'), 'utf8')) as ReleasedMigrations;
const problems = findReleaseProblems(released, await readMigrations(folder));
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
