import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';

/** Stops every process of the server on this machine that `url` leads to by SIGSTOP, and answers how to let them go on. */
export const freezePostgres = async (url: string): Promise<() => void> => {
  const postmaster = await findPostmaster(url);
  // First the one that would start others.
  signal(postmaster, 'SIGSTOP');
  const children = await listChildren(postmaster);
  for (const pid of children) signal(pid, 'SIGSTOP');
  return () => {
    for (const pid of [...children, postmaster]) signal(pid, 'SIGCONT');
  };
};

/** The parent of every process that serves a connection. */
const findPostmaster = async (url: string): Promise<number> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const parent = await findParent(rows[0]!.pid);
    if (!(parent > 1)) throw new Error('the server does not run on this machine');
    return parent;
  } finally {
    await client.end();
  }
};

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name);
  } catch (error) {
    // The process may have ended a moment ago.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

const listChildren = async (parent: number): Promise<number[]> => {
  const children: number[] = [];
  for (const name of await readdir('/proc')) {
    if (/^\d+$/.test(name) && (await findParent(Number(name))) === parent) children.push(Number(name));
  }
  return children;
};

/** The process that a process was started by; none where it has ended meanwhile. */
const findParent = async (pid: number): Promise<number> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // After the program's name in parentheses: state, parent.
  return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]);
};
