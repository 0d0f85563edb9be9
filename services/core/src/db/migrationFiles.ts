import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** A migration of the code. */
export interface MigrationFile {
  /** The name of the file without `.sql`. */
  readonly name: string;
  readonly statements: string;
  /** Lower-case hex, of the statements with Unix line endings: a checkout on Windows has the same hash. */
  readonly sha256: string;
}

/** Reads the migrations of a folder, ordered by name. */
export const readMigrations = async (directory: string): Promise<MigrationFile[]> => {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).toSorted();
  return Promise.all(
    files.map(async (file) => {
      const statements = (await readFile(join(directory, file), 'utf8')).replaceAll('\r\n', '\n');
      const sha256 = createHash('sha256').update(statements).digest('hex');
      return { name: basename(file, '.sql'), statements, sha256 };
    }),
  );
};
