import { readFileSync } from 'node:fs';
import type { ProcessFamily } from '../faults/processes.ts';

/** CPU seconds by kind of process. */
export type CpuByKind = Readonly<Record<string, number>>;

/**
 * CPU seconds that a family has used so far, user and system. What a process has used that has ended and been waited for stands in
 * its parent's account, with all of its own ended children (proc_pid_stat(5), cutime and cstime), so that none is missed however
 * short it lived, as long as its parent lives.
 */
export const measureCpu = (family: ProcessFamily, kindOf: (command: string) => string): CpuByKind => {
  const byKind: Record<string, number> = {};
  for (const { pid, command } of family.living()) {
    const kind = kindOf(command);
    byKind[kind] = (byKind[kind] ?? 0) + cpuSecondsOf(readStat(pid));
  }
  return byKind;
};

/** What was used between two measurements of the same family, none of whose processes has lost its parent in between. */
export const cpuBetween = (before: CpuByKind, after: CpuByKind): CpuByKind =>
  Object.fromEntries(Object.entries(after).map(([kind, seconds]) => [kind, seconds - (before[kind] ?? 0)]));

/** Fields 14 to 17 of `/proc/<pid>/stat`: own user and system time, and those of the children that have ended. */
export const cpuSecondsOf = (stat: string): number => {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
};

/** `USER_HZ`: 100 on every architecture that Node runs on. */
const ticksPerSecond = 100;

const readStat = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return '';
  }
};
