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

/** The right of this process to be the only one that uses a data directory. It ends with `release`, or with this process, however that ends. */
export interface DataDirectoryLock {
  release(): void;
}

/**
 * Locks the data directory, which must exist, for this process.
 *
 * Node has no file lock of its own, and a file with a process id proves nothing: after a crash another process may have that id, and a
 * process in another container has other ids. SQLite takes a kernel lock on the file `lock`, which the kernel releases when this process is
 * gone, also after kill -9. Nothing is ever written to the file.
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
