import { readdir, readFile } from 'node:fs/promises';

/** Stops the children of a process with SIGSTOP, but not the process itself. Returns a function that resumes them. */
export const freezeChildren = async (parent: number): Promise<() => void> => {
  const children = await listChildren(parent);
  for (const pid of children) sendSignal(pid, 'SIGSTOP');
  return () => {
    for (const pid of children) sendSignal(pid, 'SIGCONT');
  };
};

/** Sends a signal to a process. Returns false if it has ended. */
export const sendSignal = (pid: number, name: NodeJS.Signals): boolean => {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    return false;
  }
};

/** Returns the pids of a process's running children. */
export const listChildren = async (parent: number): Promise<number[]> => {
  const children: number[] = [];
  for (const name of await readdir('/proc')) {
    if (/^\d+$/.test(name) && (await findParent(Number(name))) === parent) children.push(Number(name));
  }
  return children;
};

/** Returns the parent of a process; NaN if it has ended. */
export const findParent = async (pid: number): Promise<number> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The fields after the program's name in parentheses are state and parent.
  return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]);
};
