import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, processTree } from '@hearth/core/process/processUsage.ts';

/** Milliseconds until killed processes are gone; they take a few. */
const patienceMs = 2_000;

/**
 * Kills a child that was started in a process group of its own, with all processes that it has started. Resolves when all are gone and its
 * pipes are closed. The event `exit` alone may be that of the program that confines the child, and `close` may never come, since any
 * process that has inherited a pipe holds it open.
 *
 * No process is missed if the child cannot start any, or if all of them live in a namespace that ends with its first process. Otherwise a
 * process that has left the group may stay if its parent has ended before; it is not waited for.
 */
export async function endChild(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  const tree = processTree(pid);
  if (!hasExited(child)) {
    // The child is killed first, so that it starts no other process meanwhile.
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
    // The process is gone already.
  }
}

/** Waits until the pipes are closed, so that the bytes that they still hold are read. */
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
