import { readdirSync, readFileSync } from 'node:fs';

/** The resources that a process has used. */
export interface ProcessUsage {
  /** CPU seconds in its whole life. */
  readonly cpuSeconds: number;
  /** Resident memory now. */
  readonly residentBytes: number;
  readonly threads: number;
}

/** Clock ticks in a second and bytes in a page, which Linux reports as these numbers on every machine that Node runs on. */
const ticksPerSecond = 100;
const pageBytes = 4096;

/** Reads the resources of a process (proc(5), `/proc/<pid>/stat`); undefined where it is gone, and where there is no `/proc`. */
export function readProcessUsage(pid: number): ProcessUsage | undefined {
  const line = readStat(pid);
  // The second field is the program's name in brackets, which may contain anything, so the fields are split behind it: index 0 is the third
  // field.
  const fields = line
    .slice(line.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [userTicks, systemTicks, threads, pages] = [fields[11], fields[12], fields[17], fields[21]];
  if (userTicks === undefined || systemTicks === undefined || threads === undefined || pages === undefined)
    return undefined;
  return { cpuSeconds: (userTicks + systemTicks) / ticksPerSecond, residentBytes: pages * pageBytes, threads };
}

/** The last process of a chain of single children: confining programs wait for the confined one as its parents. */
export function innermostProcess(pid: number): number {
  const [child] = childrenOf(pid);
  return child === undefined ? pid : innermostProcess(child);
}

/** A process and all its descendants, of which at most `most` are looked for. */
export function processTree(pid: number, most = 1_000): number[] {
  const found = [pid];
  for (let i = 0; i < found.length && found.length < most; i += 1) found.push(...childrenOf(found[i]!));
  return found;
}

/** Whether a process still runs. A zombie, which has ended and whose status nobody has read, does not. */
export function isRunning(pid: number): boolean {
  const line = readStat(pid);
  return line !== '' && !/^[ZX]/.test(line.slice(line.lastIndexOf(')') + 2));
}

/** Children of all threads, since any thread may have started them. */
const childrenOf = (pid: number): number[] =>
  list(`/proc/${pid}/task`).flatMap((thread) =>
    read(`/proc/${pid}/task/${thread}/children`)
      .split(' ')
      .flatMap((child) => (child.trim() === '' ? [] : Number(child))),
  );

const readStat = (pid: number): string => read(`/proc/${pid}/stat`);

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
