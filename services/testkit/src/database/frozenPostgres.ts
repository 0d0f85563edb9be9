import pg from 'pg';
import { findParent, listChildren, sendSignal } from '../servers/childProcesses.ts';

/** Stops all processes of a server on this machine with SIGSTOP. Returns a function that resumes them. */
export const freezePostgres = async (url: string): Promise<() => void> => {
  const postmaster = await findPostmaster(url);
  // First stops the process that starts the others.
  sendSignal(postmaster, 'SIGSTOP');
  const children = await listChildren(postmaster);
  for (const pid of children) sendSignal(pid, 'SIGSTOP');
  return () => {
    for (const pid of [...children, postmaster]) sendSignal(pid, 'SIGCONT');
  };
};

/** Returns the parent of all processes that serve connections. */
const findPostmaster = async (url: string): Promise<number> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const parent = await findParent(rows[0]!.pid);
    if (!(parent > 1)) throw new Error('the server is not on this machine');
    return parent;
  } finally {
    await client.end();
  }
};
