import { setTimeout as sleep } from 'node:timers/promises';
import { readText, type ProcessTree } from '../hearth/processTree.ts';

/** MB of memory or CPU seconds, by kind of process. */
export type ByKind = Readonly<Record<string, number>>;

export const sumCosts = (cost: ByKind): number => Object.values(cost).reduce((sum, value) => sum + value, 0);

/**
 * Maximum memory (PSS, in MB) of all processes except the model process during an import of HEICs, RAWs and videos.
 * `npm run bench:model-memory` checks the separate limit of the model process.
 */
export const allowedImportMegabytes = 1_200;

/** Returns a sentence if an import exceeded the memory limit. */
export const findExcess = (peak: ByKind): string[] => {
  const megabytes = sumCosts(peak) - (peak['models'] ?? 0);
  if (megabytes <= allowedImportMegabytes) return [];
  return [`peak memory without the models: ${megabytes.toFixed(0)} MB, limit: ${allowedImportMegabytes} MB`];
};

/** Measures the memory of a process tree, in MB. Memory shared by several processes is divided among them (PSS). */
export const measureMemory = (processes: ProcessTree): ByKind => sumByKind(processes, measureMegabytes);

/**
 * Measures the CPU seconds that a process tree has used so far, user and system. Includes ended processes, even short
 * ones: Linux adds their time to the parent that waits for them.
 */
export const measureCpu = (processes: ProcessTree): ByKind => sumByKind(processes, measureCpuSeconds);

/**
 * Returns the CPU seconds between two measurements of a process tree. The result is wrong if a parent ended before its
 * child in between.
 */
export const subtractCpu = (before: ByKind, after: ByKind): ByKind =>
  Object.fromEntries(Object.entries(after).map(([kind, seconds]) => [kind, seconds - (before[kind] ?? 0)]));

/** Measures the memory of a process tree repeatedly. */
export interface MemoryWatch {
  /** Returns the sample with the highest sum. */
  stop(): Promise<ByKind>;
}

/** Samples four times a second by default. A sample takes about 20 ms of CPU time. */
export const watchMemory = (processes: ProcessTree, everyMs = 250): MemoryWatch => {
  const stopping = new AbortController();
  const watching = (async () => {
    let highest = measureMemory(processes);
    while (!stopping.signal.aborted) {
      await sleep(everyMs);
      const now = measureMemory(processes);
      if (sumCosts(now) > sumCosts(highest)) highest = now;
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

/** Returns the memory (PSS) of a process in MB; 0 if it has ended. */
export const measureMegabytes = (pid: number): number =>
  (Number(/^Pss: +(\d+) kB$/m.exec(readText(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1_024) / 1e6;

/**
 * Returns the private memory of a process in MB (anonymous memory in RAM and swap), as Chromium's task manager shows it;
 * 0 if the process has ended. Excludes Chromium's cache of decoded pictures, which is shared memory and freed on demand.
 */
export const measurePrivateMegabytes = (pid: number): number => {
  const status = readText(`/proc/${pid}/status`);
  const kilobytes = (field: string): number =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0);
  return ((kilobytes('RssAnon') + kilobytes('VmSwap')) * 1_024) / 1e6;
};

/** Returns user and system time of a process and of its ended children: fields 14 to 17 of proc_pid_stat(5). */
export const measureCpuSeconds = (pid: number): number => {
  const stat = readText(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
};

/** `USER_HZ`: 100 on all architectures of Node. */
const ticksPerSecond = 100;

const sumByKind = (processes: ProcessTree, measure: (pid: number) => number): ByKind => {
  const byKind: Record<string, number> = {};
  for (const { pid, command } of processes.living()) {
    const kind = getKind(command);
    byKind[kind] = (byKind[kind] ?? 0) + measure(pid);
  }
  return byKind;
};

/** Returns the kind of a process by its command line. */
const getKind = (command: string): string => {
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
