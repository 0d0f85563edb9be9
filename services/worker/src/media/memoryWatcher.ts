/** The program of the thread of `watchMemory.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import { outOfMemorySignal } from './decoderProtocol.ts';

setInterval(() => {
  if (process.memoryUsage.rss() > Number(workerData)) process.kill(process.pid, outOfMemorySignal);
}, 20);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
parentPort?.postMessage('watching');
