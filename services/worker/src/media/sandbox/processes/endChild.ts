import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, listProcessTree } from '@hearth/core/process/processUsage.ts';

/** Timeout for killed processes to end, in ms. They take a few. */
const patienceMs = 2_000;

/**
 * Kills a child in its own process group, with all processes that it has started. Resolves when all have ended and its pipes are closed. The event
 * `exit` alone may come from the sandbox program. `close` may never come, because any process that has inherited a pipe keeps it open.
 * Finds all processes if the child cannot start any, or if they live in a namespace that ends with its first process. Otherwise a process may survive
 * if it has left the group and its parent has ended; it is not waited for.
 */
export async function endChild(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  const tree = listProcessTree(pid);
  if (!hasExited(child)) {
    // Kills the child first, so that it cannot start other processes meanwhile.
    for (const each of tree) signal(each);
    signal(-pid);
    await happens((waiting) => once(child, 'exit', waiting));
  } else signal(-pid);
  const until = Date.now() + patienceMs;
  while (tree.some((each) => each !== pid && isRunning(each)) && Date.now() < until) await sleep(5);
  await closed(child);
}

const hasExited = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

/** Waits until the pipes are closed, so that buffered bytes are read. */
async function closed({ stdio }: ChildProcess): Promise<void> {
  const open = stdio.flatMap((stream) => (stream?.closed === false ? [stream] : []));
  await happens((waiting) => Promise.all(open.map((stream) => once(stream, 'close', waiting))));
  for (const stream of open) stream.destroy();
}

/** Waits for an event, with a timeout. */
async function happens(event: (waiting: AbortController) => Promise<unknown>): Promise<void> {
  const waiting = new AbortController();
  const whichever = [event(waiting), sleep(patienceMs, undefined, waiting)].map((each) => each.catch(() => {}));
  await Promise.race(whichever).finally(() => waiting.abort());
}
