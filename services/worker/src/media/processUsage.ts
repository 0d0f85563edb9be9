import { readdirSync, readFileSync } from 'node:fs';

/** What a process has used of the machine. */
export interface ProcessUsage {
  /** Of the processor, of its whole life. */
  readonly cpuSeconds: number;
  /** Memory that it holds now. */
  readonly residentBytes: number;
  readonly threads: number;
}

/** Ticks in a second and bytes in a page, as Linux tells them to programs on every machine that Node runs on. */
const ticksPerSecond = 100;
const pageBytes = 4096;

/** Reads what a process has used (proc(5), `/proc/<pid>/stat`); undefined where it is gone, and where there is no `/proc`. */
export function readProcessUsage(pid: number): ProcessUsage | undefined {
  const line = readStat(pid);
  // The second field is the program's name in brackets, in which anything may stand; the third comes first here.
  const fields = line
    .slice(line.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [userTicks, systemTicks, threads, pages] = [fields[11], fields[12], fields[17], fields[21]];
  if (userTicks === undefined || systemTicks === undefined || threads === undefined || pages === undefined)
    return undefined;
  return { cpuSeconds: (userTicks + systemTicks) / ticksPerSecond, residentBytes: pages * pageBytes, threads };
}

/** The last process of a chain in which each has one child: the programs that confine another one wait for it as its parents. */
export function innermostProcess(pid: number): number {
  const [child] = childrenOf(pid);
  return child === undefined ? pid : innermostProcess(child);
}

/** A process and what it has started, and that in turn, of which no more than `most` are looked for. */
export function processTree(pid: number, most = 1_000): number[] {
  const found = [pid];
  for (let i = 0; i < found.length && found.length < most; i += 1) found.push(...childrenOf(found[i]!));
  return found;
}

/** Whether a process still does something; one that has ended and that nobody has asked for its status does not. */
export function isRunning(pid: number): boolean {
  const line = readStat(pid);
  return line !== '' && !/^[ZX]/.test(line.slice(line.lastIndexOf(')') + 2));
}

/** Any of its threads may have started them. */
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
