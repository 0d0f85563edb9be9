import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Another living process holds the data directory. */
export class DataDirectoryInUseError extends Error {
  constructor(directory: string, cause: unknown) {
    super(`Another Hearth is running on the data directory ${directory}: end that one first, or set HEARTH_DATA_DIR`, {
      cause,
    });
    this.name = 'DataDirectoryInUseError';
  }
}

/** The right to be the only one on a data directory, held until `release` or the end of this process, however it ends. */
export interface DataDirectoryLock {
  release(): void;
}

/**
 * Takes the data directory, which must exist, for this process.
 *
 * Node offers no file lock of its own, and a file with a process id in it is a guess: after a crash the id may belong to
 * another process, and a process in another container has another number. SQLite takes a lock of the kernel on the file
 * `lock`, which the kernel drops when its holder is gone, also after kill -9. Nothing is ever written to it.
 * @throws DataDirectoryInUseError
 */
export const lockDataDirectory = (directory: string): DataDirectoryLock => {
  const database = new DatabaseSync(join(directory, 'lock'));
  try {
    database.exec('pragma locking_mode = exclusive; begin exclusive');
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === sqliteBusy) throw new DataDirectoryInUseError(directory, error);
    throw error;
  }
  return { release: () => database.close() };
};

/** https://www.sqlite.org/rescode.html#busy */
const sqliteBusy = 5;
