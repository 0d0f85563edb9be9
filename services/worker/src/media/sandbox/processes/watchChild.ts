import type { ChildProcess } from 'node:child_process';
import type { Box } from '../confinement/box.ts';
import type { MemoryBudget } from './memoryBudget.ts';
import { findInnermostProcess, listProcessTree, readProcessUsage } from '@hearth/core/process/processUsage.ts';

/** The exceeded limit. `share`: the memory shared by all children. */
export type Excess = 'memory' | 'share' | 'time' | 'processes';

/** Limits of a child while it is watched. */
export interface WatchBounds {
  readonly residentBytes: number;
  /** Memory limit shared with other children. */
  readonly budget?: MemoryBudget | undefined;
  /** CPU time since the start of the watch. */
  readonly cpuSeconds?: number | undefined;
  /** The child is idle: all resources are checked, but only once a second. */
  readonly isIdle?: boolean | undefined;
}

/** Interval of memory checks, in ms. A decoder may grow by about 40 MB in this time, beyond its limit. */
const memoryMs = 20;

/** Interval of other checks, in ms. */
const restMs = 240;

/** Interval of checks of an idle child, in ms. */
const idleMs = 1_000;

/** Maximum number of threads of a child: several times what decoders start on a machine with many cores. */
const maxThreads = 1_000;

/**
 * Checks a child's resources until the watch is disposed, and reports the first exceeded limit. Measures from outside, where a malicious child cannot
 * forge the results. Does nothing without `/proc`.
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
      // Nothing to compare with until the sandbox program has started the decoder.
      const pid = findInnermostProcess(process.pid);
      const usage = readProcessUsage(pid);
      if (usage === undefined) return;
      if (first?.pid !== pid) first = { pid, cpuSeconds: usage.cpuSeconds };
      else if (usage.cpuSeconds - first.cpuSeconds > (bounds.cpuSeconds ?? Infinity)) return tell('time');
      if (usage.threads > maxThreads || listProcessTree(process.pid, box.processes + 1).length > box.processes)
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
