import type { ChildProcess } from 'node:child_process';
import type { Box } from './confinement/box.ts';
import { innermostProcess, processTree, readProcessUsage } from './processUsage.ts';

/** What a child takes too much of. */
export type Excess = 'memory' | 'time' | 'processes';

/** What a child may take while it is watched. */
export interface WatchBounds {
  readonly residentBytes: number;
  /** Of the processor, from the first look on. */
  readonly cpuSeconds?: number | undefined;
  /** It has no work, and little to look at: a look a second at everything costs next to nothing. */
  readonly isIdle?: boolean | undefined;
}

/** Milliseconds between two looks at memory: as much as a decoder takes in them, some 40 MB, it may have above its bound. */
const memoryMs = 20;

/** Milliseconds between two looks at everything else. */
const restMs = 240;

/** Milliseconds between two looks at a child without work. */
const idleMs = 1_000;

/** What a child has with several decoders at work on a machine of many cores, several times over. */
const maxThreads = 1_000;

/**
 * Looks at what a child takes, from outside, where the child cannot deceive it, until the watch is disposed of, and reports the first excess. Where
 * there is no `/proc` it sees nothing.
 */
export function watchChild(
  child: () => ChildProcess | undefined,
  box: Box,
  bounds: WatchBounds,
  onExcess: (excess: Excess) => void,
): Disposable {
  let looks = 0;
  let isOver = false;
  let told: ChildProcess | undefined;
  let first: { readonly pid: number; readonly cpuSeconds: number } | undefined;
  const look = (): void => {
    const process = child();
    if (process?.pid === undefined || process === told) return;
    const tell = (excess: Excess): void => {
      if (isOver) return;
      told = process;
      onExcess(excess);
    };
    if (first === undefined || bounds.isIdle || looks % (restMs / memoryMs) === 0) {
      // Before its program is started in it, there is nothing to compare with.
      const pid = innermostProcess(process.pid);
      const usage = readProcessUsage(pid);
      if (usage === undefined) return;
      if (first?.pid !== pid) first = { pid, cpuSeconds: usage.cpuSeconds };
      else if (usage.cpuSeconds - first.cpuSeconds > (bounds.cpuSeconds ?? Infinity)) return tell('time');
      if (usage.threads > maxThreads || processTree(process.pid, box.processes + 1).length > box.processes)
        return tell('processes');
    }
    looks += 1;
    if ((readProcessUsage(first.pid)?.residentBytes ?? 0) > bounds.residentBytes) tell('memory');
  };
  const timer = setInterval(look, bounds.isIdle ? idleMs : memoryMs).unref();
  return {
    [Symbol.dispose]: () => {
      isOver = true;
      clearInterval(timer);
    },
  };
}
