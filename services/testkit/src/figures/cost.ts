import { setTimeout as sleep } from 'node:timers/promises';
import { readText, type ProcessTree } from '../hearth/processTree.ts';

/** Megabytes of memory or seconds of CPU by kind of process. */
export type ByKind = Readonly<Record<string, number>>;

/** The sum over all kinds. */
export const sumOf = (cost: ByKind): number => Object.values(cost).reduce((sum, each) => sum + each, 0);

/**
 * The most megabytes (PSS) that all processes but that of the models take while HEICs, RAWs and videos are imported. What a worker takes with its
 * models is bounded by itself, and measured by `npm run bench:model-memory`.
 */
export const allowedImportMegabytes = 1_200;

/** A sentence where an import took more memory at its peak than it may. */
export const findExcess = (peak: ByKind): string[] => {
  const megabytes = sumOf(peak) - (peak['models'] ?? 0);
  if (megabytes <= allowedImportMegabytes) return [];
  return [`${megabytes.toFixed(0)} MB at the peak without the models, allowed are ${allowedImportMegabytes}`];
};

/** Megabytes of memory of a process tree now. Memory that several processes share is counted once, in parts (PSS). */
export const measureMemory = (processes: ProcessTree): ByKind => addUp(processes, megabytesOf);

/**
 * CPU seconds that a process tree has used so far, user and system. What a process has used that has ended and been waited for stands in
 * its parent's account, with all of its own ended children, so that none is missed however short it lived, as long as its parent lives.
 */
export const measureCpu = (processes: ProcessTree): ByKind => addUp(processes, cpuSecondsOf);

/** The CPU seconds between two measurements of one process tree, in which no process has lost its parent in between. */
export const cpuBetween = (before: ByKind, after: ByKind): ByKind =>
  Object.fromEntries(Object.entries(after).map(([kind, seconds]) => [kind, seconds - (before[kind] ?? 0)]));

/** Measures the memory of a process tree repeatedly. */
export interface MemoryWatch {
  /** The sample with the highest sum since the watch began. */
  stop(): Promise<ByKind>;
}

/** Samples four times a second, unless told otherwise: a sample takes about 20 ms of CPU. */
export const watchMemory = (processes: ProcessTree, everyMs = 250): MemoryWatch => {
  const stopping = new AbortController();
  const watching = (async () => {
    let highest = measureMemory(processes);
    while (!stopping.signal.aborted) {
      await sleep(everyMs);
      const now = measureMemory(processes);
      if (sumOf(now) > sumOf(highest)) highest = now;
    }
    return highest;
  })();
  return {
    stop: () => {
      stopping.abort();
      return watching;
    },
  };
};

/** The memory of one process (PSS); 0 where it is gone. */
export const megabytesOf = (pid: number): number =>
  (Number(/^Pss: +(\d+) kB$/m.exec(readText(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1_024) / 1e6;

/**
 * The memory that one process shares with no other (anonymous memory in RAM and in swap), which is what Chromium's task manager and the card of a
 * tab show as its memory; 0 where the process is gone. Decoded pictures that Chromium keeps for later, and gives back when memory is short, lie in
 * shared memory and are not in it.
 */
export const ownMegabytesOf = (pid: number): number => {
  const status = readText(`/proc/${pid}/status`);
  const kilobytes = (field: string): number =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0);
  return ((kilobytes('RssAnon') + kilobytes('VmSwap')) * 1_024) / 1e6;
};

/** User and system time of one process and of its children that have ended: fields 14 to 17 of proc_pid_stat(5). */
export const cpuSecondsOf = (pid: number): number => {
  const stat = readText(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
};

/** `USER_HZ`: 100 on every architecture that Node runs on. */
const ticksPerSecond = 100;

const addUp = (processes: ProcessTree, costOf: (pid: number) => number): ByKind => {
  const byKind: Record<string, number> = {};
  for (const { pid, command } of processes.living()) {
    const kind = kindOf(command);
    byKind[kind] = (byKind[kind] ?? 0) + costOf(pid);
  }
  return byKind;
};

/** What a process is, by its command line. */
const kindOf = (command: string): string => {
  if (/embedded\/main\.ts|api\/src\/main\.ts/.test(command)) return 'API';
  if (command.includes('worker/src/main.ts')) return 'worker';
  if (command.includes('inferenceChild')) return 'models';
  if (command.includes('decoderChild')) return 'decoders';
  if (command.includes('transcodeChild')) return 'transcoder';
  if (command.includes('postgres')) return 'PostgreSQL';
  if (command.includes('exiftool')) return 'exiftool';
  if (/(redis|valkey)-server/.test(command)) return 'Redis';
  return command.includes('/versitygw ') ? 'S3 server' : 'others';
};
