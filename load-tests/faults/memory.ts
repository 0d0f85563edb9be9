import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessFamily } from './processes.ts';

/** Megabytes of memory by kind of process; what several processes share is counted once, in parts (PSS). */
export type MemoryByKind = Readonly<Record<string, number>>;

/** The memory of a family of processes while something goes on. */
export interface MemoryWatch {
  /** The sample with the highest sum since the watch began. */
  stop(): Promise<MemoryByKind>;
}

/** Samples four times a second, unless told otherwise: a sample takes about 20 ms of CPU. */
export const watchMemory = (family: ProcessFamily, everyMs = 250): MemoryWatch => {
  const stopping = new AbortController();
  const watching = (async () => {
    let highest = measureMemory(family);
    while (!stopping.signal.aborted) {
      await sleep(everyMs);
      const now = measureMemory(family);
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

/** The memory of a family now. */
export const measureMemory = (family: ProcessFamily): MemoryByKind => {
  const byKind: Record<string, number> = {};
  for (const { pid } of family.living()) {
    const kind = kindOf(readText(`/proc/${pid}/cmdline`));
    const kilobytes = Number(/^Pss: +(\d+) kB$/m.exec(readText(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0);
    byKind[kind] = (byKind[kind] ?? 0) + (kilobytes * 1_024) / 1e6;
  }
  return byKind;
};

/** Megabytes of all kinds together. */
export const sumOf = (memory: MemoryByKind): number => Object.values(memory).reduce((sum, each) => sum + each, 0);

/** What a process is, by its command line. */
export const kindOf = (command: string): string => {
  if (/embedded\/main\.ts|api\/src\/main\.ts/.test(command)) return 'API';
  if (command.includes('worker/src/main.ts')) return 'worker';
  if (command.includes('decoderChild')) return 'decoders';
  if (command.includes('transcodeChild')) return 'transcoder';
  if (command.includes('postgres')) return 'PostgreSQL';
  if (command.includes('exiftool')) return 'exiftool';
  if (/(redis|valkey)-server/.test(command)) return 'Redis';
  return command.includes('/versitygw\0') ? 'S3 server' : 'others';
};

const readText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};
