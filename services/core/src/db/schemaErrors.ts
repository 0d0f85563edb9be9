import type { AppliedMigration } from './appliedMigrations.ts';

/** A newer version of Hearth has migrated the database incompatibly. */
export class SchemaTooNewError extends Error {
  constructor(migrations: readonly string[]) {
    super(
      `the database has been changed by a newer version of Hearth (${migrations.join(', ')}), with which this version cannot work: ` +
        'start that version or a later one, or restore a backup of before the update',
    );
    this.name = 'SchemaTooNewError';
  }
}

/** The database has migrations that this version lacks, or has with other content. Nothing was changed. */
export class SchemaUnknownError extends Error {
  constructor(cause: string, version?: string) {
    super(
      `${cause}, which this version can neither update nor work with; nothing has been changed. ` +
        `Start the version that made it${version === undefined ? '' : `, ${version}`}, or begin a new library with the old photos: with an empty database ` +
        '(for npm start: a new data folder) and the old objects, start Hearth and end it, unless it refuses the objects as those of another library. ' +
        'Then run "npm run orphans -- --take-over --adopt --into USERNAME" (for npm start: family), and start Hearth again. ' +
        'That brings back the photos and videos, not albums, names or accounts',
    );
    this.name = 'SchemaUnknownError';
  }
}

/** For commands that do not migrate. */
export const missingMigrationsError = (names: readonly string[]): Error =>
  new Error(`the database is not up to date, it lacks ${joinNames(names)}: start Hearth once, which updates it`);

/** The database has migrations that the code does not know, and lacks some that it knows. */
export const unknownMigrationsError = (names: readonly string[]): SchemaUnknownError =>
  new SchemaUnknownError(`the database has been set up by another line of versions of Hearth (${joinNames(names)})`);

/** For a database from before the first release, when applied migrations were still edited. */
export const unrecordedMigrationsError = (names: readonly string[]): SchemaUnknownError =>
  new SchemaUnknownError(
    `the database was made by a version of Hearth from before the first release, which did not record what it applied (${joinNames(names)})`,
  );

/** The files of these migrations have changed since they were applied. */
export const changedMigrationsError = (changed: readonly AppliedMigration[]): SchemaUnknownError => {
  const version = changed.at(-1)!.version ?? undefined;
  const names = changed.map(({ name }) => name);
  return new SchemaUnknownError(
    `the database was made by Hearth ${version}, with other contents of the migration${names.length > 1 ? 's' : ''} ${joinNames(names)}`,
    version,
  );
};

/** Joins the first three names and the number of further ones. */
const joinNames = (names: readonly string[]): string =>
  names.slice(0, 3).join(', ') + (names.length > 3 ? ` and ${names.length - 3} more` : '');
