import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/**
 * Ends this process above a limit of resident memory while its own thread decodes and can watch nothing, by a thread that looks every 20 ms.
 * Resolves when it watches.
 */
export async function watchMemory(limitBytes: number): Promise<{ end(): Promise<unknown> }> {
  const watcher = new Worker(new URL('memoryWatcher.ts', import.meta.url), {
    workerData: limitBytes,
    execArgv: [],
  });
  await once(watcher, 'message');
  return { end: () => watcher.terminate() };
}
