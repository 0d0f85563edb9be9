import type { AppliedMigration } from './appliedMigrations.ts';

/** A newer version of Hearth has migrated the database incompatibly. */
export class SchemaTooNewError extends Error {
  constructor(migrations: readonly string[]) {
    super(
      `the database was upgraded by a newer version of Hearth (${migrations.join(', ')}) and does not work with this one: ` +
        'start that version or a later one, or restore a backup from before the upgrade',
    );
    this.name = 'SchemaTooNewError';
  }
}

/** The database has migrations that this version lacks, or has with other content. Nothing was changed. */
export class SchemaUnknownError extends Error {
  constructor(cause: string, version?: string) {
    super(
      `${cause}, which this version cannot upgrade; nothing was changed. ` +
        `Start the version that created it${version === undefined ? '' : `, ${version}`}, or import the old originals into a new library: with an empty database ` +
        '(for npm start: a new data folder) and the old object store, start Hearth once and stop it; skip this if it reports another library. ' +
        'Then run "npm run orphans -- --take-over --adopt --into USERNAME" (for npm start: family), and start Hearth again. ' +
        'This restores the photos and videos, but not albums, names or accounts',
    );
    this.name = 'SchemaUnknownError';
  }
}

/** For commands that do not migrate. */
export const missingMigrationsError = (names: readonly string[]): Error =>
  new Error(`the database is missing migrations ${joinNames(names)}; start Hearth once to apply them`);

/** The database has migrations that the code does not know, and lacks some that it knows. */
export const unknownMigrationsError = (names: readonly string[]): SchemaUnknownError =>
  new SchemaUnknownError(`the database was created by a different build of Hearth (${joinNames(names)})`);

/** For a database from before the first release, when applied migrations were still edited. */
export const unrecordedMigrationsError = (names: readonly string[]): SchemaUnknownError =>
  new SchemaUnknownError(`the database was created by a version before the first release (${joinNames(names)})`);

/** The files of these migrations have changed since they were applied. */
export const changedMigrationsError = (changed: readonly AppliedMigration[]): SchemaUnknownError => {
  const version = changed.at(-1)!.version ?? undefined;
  const names = changed.map(({ name }) => name);
  return new SchemaUnknownError(
    `the database was created by Hearth ${version} with a different version of the migration${names.length > 1 ? 's' : ''} ${joinNames(names)}`,
    version,
  );
};

/** Joins the first three names and the number of further ones. */
const joinNames = (names: readonly string[]): string =>
  names.slice(0, 3).join(', ') + (names.length > 3 ? ` and ${names.length - 3} more` : '');
