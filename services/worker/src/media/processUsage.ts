import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** What a process has used of the machine. */
export interface ProcessUsage {
  /** Of the processor, of its whole life. */
  readonly cpuSeconds: number;
  /** Memory that it holds now. */
  readonly residentBytes: number;
}

/** Ticks in a second and bytes in a page, as Linux tells them to programs on every machine that Node runs on. */
const ticksPerSecond = 100;
const pageBytes = 4096;

/** Reads what a process has used (proc(5), `/proc/<pid>/stat`); undefined where it is gone, and where there is no `/proc`. */
export async function readProcessUsage(pid: number): Promise<ProcessUsage | undefined> {
  const line = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  // The second field is the program's name in brackets, in which anything may stand; the third comes first here.
  const fields = line
    .slice(line.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [userTicks, systemTicks, pages] = [fields[11], fields[12], fields[21]];
  if (userTicks === undefined || systemTicks === undefined || pages === undefined) return undefined;
  return { cpuSeconds: (userTicks + systemTicks) / ticksPerSecond, residentBytes: pages * pageBytes };
}

/** The process that a chain of processes, each with one child, has been started for: what confines a program waits for it as its parent. */
export function innermostProcess(pid: number): number {
  try {
    const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ');
    return child ? innermostProcess(Number(child)) : pid;
  } catch {
    return pid;
  }
}
