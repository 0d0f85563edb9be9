import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, processTree } from './processUsage.ts';

/** Milliseconds in which what was killed is gone; it takes a few. */
const patienceMs = 2_000;

/**
 * Ends a child that was started in a process group of its own, with whatever it has started; resolves when all of it is gone and its pipes are
 * closed. `exit` alone may be that of the program that confines it, and `close` may never come: whatever has inherited a pipe holds it open.
 *
 * No process is missed where the child can start none, or where all of them live in a namespace that ends with its first process. Elsewhere a process
 * that has left the group may stay if its parent has ended before; it is not waited for.
 */
export async function endChild(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  const tree = processTree(pid);
  if (!hasExited(child)) {
    // The child is ended first, so that it cannot start anything while the others are ended.
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
    // It is gone already.
  }
}

/** What the pipes still hold is read first. */
async function closed({ stdio }: ChildProcess): Promise<void> {
  const open = stdio.flatMap((stream) => (stream?.closed === false ? [stream] : []));
  await happens((waiting) => Promise.all(open.map((stream) => once(stream, 'close', waiting))));
  for (const stream of open) stream.destroy();
}

/** Waits for an event, but not for long. */
async function happens(event: (waiting: AbortController) => Promise<unknown>): Promise<void> {
  const waiting = new AbortController();
  const whichever = [event(waiting), sleep(patienceMs, undefined, waiting)].map((each) => each.catch(() => {}));
  await Promise.race(whichever).finally(() => waiting.abort());
}
