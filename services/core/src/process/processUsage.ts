import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessUsage {
  /** CPU seconds since its start. */
  readonly cpuSeconds: number;
  /** Current resident memory. */
  readonly residentBytes: number;
  readonly threads: number;
}

/** Clock ticks per second in `/proc`, on every machine that Node supports. */
const ticksPerSecond = 100;

/** Bytes per page. Some ARM kernels have larger pages. */
const pageBytes = 4096;

/**
 * Reads the resources of a process (proc(5), `/proc/<pid>/stat`). Undefined if it has exited or the system has no
 * `/proc`.
 */
export function readProcessUsage(pid: number): ProcessUsage | undefined {
  const line = readStat(pid);
  // The second field is the program's name in brackets, which may contain anything. So split after it: index 0 is the
  // third field.
  const fields = line
    .slice(line.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [userTicks, systemTicks, threads, pages] = [fields[11], fields[12], fields[17], fields[21]];
  if (userTicks === undefined || systemTicks === undefined || threads === undefined || pages === undefined)
    return undefined;
  return { cpuSeconds: (userTicks + systemTicks) / ticksPerSecond, residentBytes: pages * pageBytes, threads };
}

/**
 * Returns the last process in a chain of single children. Sandbox programs stay as parents of the sandboxed process.
 */
export function findInnermostProcess(pid: number): number {
  const [child] = listChildren(pid);
  return child === undefined ? pid : findInnermostProcess(child);
}

/** Returns a process and its descendants, at most about `maxProcesses`. */
export function listProcessTree(pid: number, maxProcesses = 1_000): number[] {
  const found = [pid];
  for (let i = 0; i < found.length && found.length < maxProcesses; i += 1) found.push(...listChildren(found[i]!));
  return found;
}

/** Returns true if a process is running. A zombie, which has exited but was not waited for, is not. */
export function isRunning(pid: number): boolean {
  const line = readStat(pid);
  return line !== '' && !/^[ZX]/.test(line.slice(line.lastIndexOf(')') + 2));
}

/** Reads the children of all threads, because any thread may have started one. */
const listChildren = (pid: number): number[] =>
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
