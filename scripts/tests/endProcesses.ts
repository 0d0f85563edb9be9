import { readdirSync, readFileSync } from 'node:fs';

/** Kills every process of this user that was given the value of an environment variable; where there is no /proc, none. Answers how many. */
export const endProcesses = (variable: string, value: string): number => {
  const marked = listPids().filter((pid) => readEnvironment(pid).includes(`${variable}=${value}`));
  for (const pid of marked) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
  return marked.length;
};

const listPids = (): number[] => {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
};

const readEnvironment = (pid: number): string[] => {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
};
