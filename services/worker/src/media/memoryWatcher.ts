/** The program of the thread of `watchMemory.ts`. */
import { workerData } from 'node:worker_threads';
import { outOfMemorySignal } from './decoderProtocol.ts';

setInterval(() => {
  if (process.memoryUsage.rss() > Number(workerData)) process.kill(process.pid, outOfMemorySignal);
}, 20);
