import { execFile } from 'node:child_process';
import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

/** A server's first process, which is the parent of all others. */
export interface Postmaster {
  readonly pid: number;
  isRunning(): Promise<boolean>;
}

/** The server that still runs on `directory` though whoever started it is gone. */
export const findPostmaster = async (directory: string): Promise<Postmaster | undefined> => {
  const pid = await readPid(directory);
  if (pid === undefined || !(await isPostgresOf(directory, pid))) return undefined;
  return { pid, isRunning: () => isPostgresOf(directory, pid) };
};

/**
 * Removes the note of a dead server if its number now belongs to another process, or to a dead one that nobody has waited
 * for (as in a container without an init): PostgreSQL sees a living number there and refuses to start. Otherwise the note
 * stays, since PostgreSQL finds by it what memory the dead server's last processes still use.
 */
export const removeMisleadingPidFile = async (directory: string): Promise<void> => {
  const pid = await readPid(directory);
  if (pid !== undefined && isAlive(pid) && !(await isPostgresOf(directory, pid))) await rm(join(directory, pidFile));
};

/** Whether the server with this number accepts connections: the same test as `pg_ctl --wait` makes. */
export const isAccepting = async (directory: string, pid: number): Promise<boolean> => {
  const lines = await readPidFile(directory);
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
};

const pidFile = 'postmaster.pid';

/** The lines of `postmaster.pid`: process, directory, start time, port, sockets, address, memory, status. */
const readPidFile = async (directory: string): Promise<string[]> =>
  (await readFile(join(directory, pidFile), 'utf8').catch(() => '')).split('\n');

const readPid = async (directory: string): Promise<number | undefined> => {
  const pid = Number((await readPidFile(directory))[0]);
  return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined;
};

/**
 * Whether a process is a living PostgreSQL server of `directory`, in which all of a server's processes stand. Elsewhere than
 * on Linux only whether it is a PostgreSQL server: the number comes from the directory's own note.
 */
const isPostgresOf = async (directory: string, pid: number): Promise<boolean> => {
  try {
    if (process.platform !== 'linux') {
      const { stdout } = await promisify(execFile)('ps', ['-p', String(pid), '-o', 'comm=']);
      return basename(stdout.trim()) === 'postgres';
    }
    const name = await readFile(`/proc/${pid}/comm`, 'utf8');
    return name.trim() === 'postgres' && (await readlink(`/proc/${pid}/cwd`)) === (await realpath(directory));
  } catch {
    return false;
  }
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
