import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { createLog } from '@hearth/core/log/log.ts';
import { openObjects } from '@hearth/core/backEnds/openObjects.ts';
import type { S3Settings } from '@hearth/core/config/s3Settings.ts';
import { mapConcurrently } from '@hearth/testkit/hearth/mapConcurrently.ts';

export type MeasuredStore = { readonly directory: string } | { readonly s3: S3Settings };

/** Cost of one step. */
export interface Cost {
  /** Maximum growth of the process, in MB. */
  readonly grownMegabytes: number;
  readonly cpuSeconds: number;
  readonly seconds: number;
}

export type Measured = Readonly<Record<'write' | 'read' | 'list', Cost>>;

interface Request {
  readonly store: MeasuredStore;
  readonly megabytes: number;
  readonly keys: number;
}

/** Chunk size of a socket. Each chunk is a separate allocation. */
const chunkBytes = 64 * 1024;

/** Child program that measures the task sent by its parent. */
const [{ store, megabytes, keys }] = (await once(process, 'message')) as [Request];
const objects = await openObjects(
  { dataDirectory: 'directory' in store ? store.directory : '', s3: 's3' in store ? store.s3 : undefined },
  createLog('bench', 'warn'),
);
await objects.claim();

const bytes = function* (sizeBytes: number): Generator<Buffer, void> {
  for (let left = sizeBytes; left > 0; left -= chunkBytes) yield Buffer.alloc(Math.min(left, chunkBytes), left % 251);
};
const put = (key: string, sizeBytes: number): Promise<number> =>
  objects.put(key, Readable.from(bytes(sizeBytes), { objectMode: false }));

const read = async (key: string): Promise<void> => {
  for await (const _ of await objects.open(key));
};

const readMemory = (name: 'VmRSS' | 'VmHWM'): number =>
  (1_024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))?.[1])) /
  1e6;

const measureCost = async (work: () => Promise<unknown>): Promise<Cost> => {
  // Resets the peak resident set size (VmHWM, proc(5)).
  writeFileSync('/proc/self/clear_refs', '5');
  const [memory, cpu, time] = [readMemory('VmRSS'), process.cpuUsage(), performance.now()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return {
    grownMegabytes: readMemory('VmHWM') - memory,
    cpuSeconds: (user + system) / 1e6,
    seconds: (performance.now() - time) / 1_000,
  };
};

await put('large', chunkBytes);
await read('large');
const write = await measureCost(() => put('large', megabytes * 1e6));
const reading = await measureCost(() => read('large'));
await objects.remove(['large']);
const names = Array.from({ length: keys }, (_, i) => `user/item-${i}/original`);
await mapConcurrently(32, names, (name) => put(name, 1));
const list = await measureCost(async () => {
  let found = 0;
  for await (const _ of objects.list('')) found += 1;
  if (found !== keys) throw new Error(`${found} of ${keys} objects were listed`);
});
process.send?.({ write, read: reading, list } satisfies Measured);
process.disconnect();
