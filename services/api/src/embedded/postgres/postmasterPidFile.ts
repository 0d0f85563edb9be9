import { execFile } from 'node:child_process';
import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

/** The main process of a PostgreSQL server. */
export interface Postmaster {
  readonly pid: number;
  isRunning(): Promise<boolean>;
}

/** Finds a server that still runs on `directory` after its owner has exited. */
export const findPostmaster = async (directory: string): Promise<Postmaster | undefined> => {
  const pid = await readPid(directory);
  if (pid === undefined || !(await isPostgresOfDirectory(directory, pid))) return undefined;
  return { pid, isRunning: () => isPostgresOfDirectory(directory, pid) };
};

/**
 * Removes a dead server's pid file if its pid now belongs to another process, or to a zombie, as in a container without
 * an init. PostgreSQL would take that process for a running server and refuse to start. Otherwise keeps the file:
 * PostgreSQL uses it to find shared memory that the dead server's last processes still use.
 */
export const removeMisleadingPidFile = async (directory: string): Promise<void> => {
  const pid = await readPid(directory);
  if (pid !== undefined && isAlive(pid) && !(await isPostgresOfDirectory(directory, pid)))
    await rm(join(directory, pidFile));
};

/** Returns true if the server with this pid accepts connections. The same check as in `pg_ctl --wait`. */
export const isAccepting = async (directory: string, pid: number): Promise<boolean> => {
  const lines = await readPidFile(directory);
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
};

const pidFile = 'postmaster.pid';

/** Lines of `postmaster.pid`: pid, directory, start time, port, sockets, address, shared memory, status. */
const readPidFile = async (directory: string): Promise<string[]> =>
  (await readFile(join(directory, pidFile), 'utf8').catch(() => '')).split('\n');

const readPid = async (directory: string): Promise<number | undefined> => {
  const pid = Number((await readPidFile(directory))[0]);
  return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined;
};

/**
 * Returns true if the process is a running PostgreSQL server of `directory`, which is the working directory of all its
 * processes. Without /proc, checks only that it is a PostgreSQL process: the pid comes from the directory's own pid
 * file.
 */
const isPostgresOfDirectory = async (directory: string, pid: number): Promise<boolean> => {
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
