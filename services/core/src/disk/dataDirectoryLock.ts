import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Another running process holds the data directory. */
export class DataDirectoryInUseError extends Error {
  constructor(directory: string) {
    super(`Another Hearth is running on the data directory ${directory}; stop that one first, or set HEARTH_DATA_DIR`);
    this.name = 'DataDirectoryInUseError';
  }
}

/** The exclusive right to use a data directory. It ends with `release` or with this process, even after a crash. */
export interface DataDirectoryLock {
  release(): void;
}

/**
 * Locks the data directory, which must exist, for this process.
 *
 * Uses SQLite's kernel lock on the file `lock`, which the kernel releases when the process ends, even after kill -9.
 * Node has no file locks. A file with a process id would prove nothing: another process may get the id after a crash,
 * and containers have their own ids. Nothing is ever written to the file.
 * @throws DataDirectoryInUseError
 */
export const lockDataDirectory = (directory: string): DataDirectoryLock => {
  const database = new DatabaseSync(join(directory, 'lock'));
  try {
    database.exec('pragma locking_mode = exclusive; begin exclusive');
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === sqliteBusy) throw new DataDirectoryInUseError(directory);
    throw error;
  }
  return { release: () => database.close() };
};

/** https://www.sqlite.org/rescode.html#busy */
const sqliteBusy = 5;
