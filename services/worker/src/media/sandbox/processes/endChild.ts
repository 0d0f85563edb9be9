import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, listProcessTree } from '@hearth/core/process/processUsage.ts';

/** Timeout for killed processes to end, in ms. Normally they take a few ms. */
const timeoutMs = 2_000;

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
    for (const each of tree) killProcess(each);
    killProcess(-pid);
    await waitForEvent((abort) => once(child, 'exit', abort));
  } else killProcess(-pid);
  const deadline = Date.now() + timeoutMs;
  while (tree.some((each) => each !== pid && isRunning(each)) && Date.now() < deadline) await sleep(5);
  await waitForPipes(child);
}

const hasExited = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

/** Waits until the pipes are closed, so that buffered bytes are read. */
async function waitForPipes({ stdio }: ChildProcess): Promise<void> {
  const open = stdio.flatMap((stream) => (stream?.closed === false ? [stream] : []));
  await waitForEvent((abort) => Promise.all(open.map((stream) => once(stream, 'close', abort))));
  for (const stream of open) stream.destroy();
}

/** Waits for an event, with a timeout. */
async function waitForEvent(event: (abort: AbortController) => Promise<unknown>): Promise<void> {
  const abort = new AbortController();
  const outcomes = [event(abort), sleep(timeoutMs, undefined, abort)].map((each) => each.catch(() => {}));
  await Promise.race(outcomes).finally(() => abort.abort());
}
