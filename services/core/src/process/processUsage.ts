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

/** Type of the page size in the auxiliary vector: pairs of type and value, 64 bits each (getauxval(3)). */
const pageSizeType = 6n;

/** Returns the bytes per memory page. Most kernels have pages of 4 KiB, those of some ARM machines 16 or 64 KiB. */
export function readPageBytes(): number {
  const vector = readBytes('/proc/self/auxv');
  for (let at = 0; at + 16 <= vector.length; at += 16)
    if (vector.readBigUInt64LE(at) === pageSizeType) return Number(vector.readBigUInt64LE(at + 8));
  return 4096;
}

const pageBytes = readPageBytes();

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

const read = (path: string): string => readBytes(path).toString('latin1');

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
