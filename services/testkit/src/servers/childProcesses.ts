import { readdir, readFile } from 'node:fs/promises';

/** Stops by SIGSTOP what a process has started, but not the process, and answers how to let it go on. */
export const freezeChildren = async (parent: number): Promise<() => void> => {
  const children = await listChildren(parent);
  for (const pid of children) sendSignal(pid, 'SIGSTOP');
  return () => {
    for (const pid of children) sendSignal(pid, 'SIGCONT');
  };
};

/** Sends a signal to a process, which may have ended a moment ago; false where it has. */
export const sendSignal = (pid: number, name: NodeJS.Signals): boolean => {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    return false;
  }
};

/** The processes of this machine that a process has started and that run. */
export const listChildren = async (parent: number): Promise<number[]> => {
  const children: number[] = [];
  for (const name of await readdir('/proc')) {
    if (/^\d+$/.test(name) && (await findParent(Number(name))) === parent) children.push(Number(name));
  }
  return children;
};

/** The process that a process was started by; none where it has ended meanwhile. */
export const findParent = async (pid: number): Promise<number> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // After the program's name in parentheses: state, parent.
  return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]);
};
