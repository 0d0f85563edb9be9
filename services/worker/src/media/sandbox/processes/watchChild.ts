import type { ChildProcess } from 'node:child_process';
import type { Box } from '../confinement/box.ts';
import type { MemoryBudget } from './memoryBudget.ts';
import { innermostProcess, processTree, readProcessUsage } from '@hearth/core/process/processUsage.ts';

/** The resource of which a child takes too much. */
export type Excess = 'memory' | 'share' | 'time' | 'processes';

/** The limits of a child while it is watched. */
export interface WatchBounds {
  readonly residentBytes: number;
  /** The memory that it shares with other children. */
  readonly budget?: MemoryBudget | undefined;
  /** CPU seconds since the watch began. */
  readonly cpuSeconds?: number | undefined;
  /** The child is idle: one check of everything each second costs next to nothing. */
  readonly isIdle?: boolean | undefined;
}

/** Milliseconds between two checks of memory. A decoder takes some 40 MB in this time, by which it may exceed its bound. */
const memoryMs = 20;

/** Milliseconds between two checks of the other resources. */
const restMs = 240;

/** Milliseconds between two checks of an idle child. */
const idleMs = 1_000;

/** The most threads of a child: several times what several decoders start on a machine of many cores. */
const maxThreads = 1_000;

/**
 * Checks a child's resources until the watch is disposed of, and reports the first excess. It reads them from outside, where the child
 * cannot deceive it. Without `/proc` it sees nothing.
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
      // Before the box has started the program in the child, there is nothing to compare with.
      const pid = innermostProcess(process.pid);
      const usage = readProcessUsage(pid);
      if (usage === undefined) return;
      if (first?.pid !== pid) first = { pid, cpuSeconds: usage.cpuSeconds };
      else if (usage.cpuSeconds - first.cpuSeconds > (bounds.cpuSeconds ?? Infinity)) return tell('time');
      if (usage.threads > maxThreads || processTree(process.pid, box.processes + 1).length > box.processes)
        return tell('processes');
    }
    looks += 1;
    const residentBytes = readProcessUsage(first.pid)?.residentBytes ?? 0;
    if (residentBytes > bounds.residentBytes) tell('memory');
    else if (bounds.budget?.isExceededBy(onExcess, residentBytes)) tell('share');
  };
  const timer = setInterval(look, bounds.isIdle ? idleMs : memoryMs).unref();
  return {
    [Symbol.dispose]: () => {
      isOver = true;
      bounds.budget?.forget(onExcess);
      clearInterval(timer);
    },
  };
}
