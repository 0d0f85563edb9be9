import type { ChildProcess } from 'node:child_process';
import type { Sandbox } from '../confinement/sandbox.ts';
import type { MemoryBudget } from './memoryBudget.ts';
import { findInnermostProcess, listProcessTree, readProcessUsage } from '@hearth/core/process/processUsage.ts';

/** The exceeded limit. `sharedMemory`: the memory limit of all children together. */
export type Excess = 'memory' | 'sharedMemory' | 'time' | 'processes';

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
const memoryCheckMs = 20;

/** Interval of other checks, in ms. */
const otherChecksMs = 240;

/** Interval of checks of an idle child, in ms. */
const idleCheckMs = 1_000;

/** Maximum number of threads of a child: several times as many as decoders start on a machine with many cores. */
const maxThreads = 1_000;

/**
 * Checks a child's resources until the watch is disposed, and reports the first exceeded limit. Measures from outside, where a malicious child cannot
 * forge the results. Does nothing without `/proc`.
 */
export function watchChild(
  child: () => ChildProcess | undefined,
  sandbox: Sandbox,
  bounds: WatchBounds,
  onExcess: (excess: Excess) => void,
): Disposable {
  let checks = 0;
  let isDisposed = false;
  let reportedChild: ChildProcess | undefined;
  let firstUsage: { readonly pid: number; readonly cpuSeconds: number } | undefined;
  const check = (): void => {
    const process = child();
    if (process?.pid === undefined || process === reportedChild) return;
    const report = (excess: Excess): void => {
      if (isDisposed) return;
      reportedChild = process;
      onExcess(excess);
    };
    if (firstUsage === undefined || bounds.isIdle || checks % (otherChecksMs / memoryCheckMs) === 0) {
      // Checks nothing until the sandbox program has started the decoder.
      const pid = findInnermostProcess(process.pid);
      const usage = readProcessUsage(pid);
      if (usage === undefined) return;
      if (firstUsage?.pid !== pid) firstUsage = { pid, cpuSeconds: usage.cpuSeconds };
      else if (usage.cpuSeconds - firstUsage.cpuSeconds > (bounds.cpuSeconds ?? Infinity)) return report('time');
      if (
        usage.threads > maxThreads ||
        listProcessTree(process.pid, sandbox.maxProcesses + 1).length > sandbox.maxProcesses
      )
        return report('processes');
    }
    checks += 1;
    const residentBytes = readProcessUsage(firstUsage.pid)?.residentBytes ?? 0;
    if (residentBytes > bounds.residentBytes) report('memory');
    else if (bounds.budget?.isExceededBy(onExcess, residentBytes)) report('sharedMemory');
  };
  const timer = setInterval(check, bounds.isIdle ? idleCheckMs : memoryCheckMs).unref();
  return {
    [Symbol.dispose]: () => {
      isDisposed = true;
      bounds.budget?.forget(onExcess);
      clearInterval(timer);
    },
  };
}
