import { execFile } from 'node:child_process';
import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

/** A server's first process, the parent of all its others. */
export interface Postmaster {
  readonly pid: number;
  isRunning(): Promise<boolean>;
}

/** The server that still runs on `directory` after the process that started it has gone. */
export const findPostmaster = async (directory: string): Promise<Postmaster | undefined> => {
  const pid = await readPid(directory);
  if (pid === undefined || !(await isPostgresOf(directory, pid))) return undefined;
  return { pid, isRunning: () => isPostgresOf(directory, pid) };
};

/**
 * Removes the pid file of a dead server if its process id now belongs to another process, or to a dead process that nobody has waited for
 * (as in a container without an init): PostgreSQL would take that id for a living server and refuse to start. Otherwise the file stays:
 * PostgreSQL finds by it the shared memory that the dead server's last processes still use.
 */
export const removeMisleadingPidFile = async (directory: string): Promise<void> => {
  const pid = await readPid(directory);
  if (pid !== undefined && isAlive(pid) && !(await isPostgresOf(directory, pid))) await rm(join(directory, pidFile));
};

/** Whether the server with this process id accepts connections: the same test that `pg_ctl --wait` makes. */
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
 * Whether a process is a living PostgreSQL server of `directory`: all processes of a server have that directory as their working directory.
 * Where there is no /proc, only whether the process is a PostgreSQL server; its id comes from the directory's own pid file.
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
