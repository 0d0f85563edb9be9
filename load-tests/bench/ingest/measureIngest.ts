import { setTimeout as sleep } from 'node:timers/promises';
import { subtractCpu, measureCpu, sumCosts, watchMemory, type ByKind } from '@hearth/testkit/figures/cost.ts';
import type { Library } from '@hearth/testkit/hearth/hearth.ts';
import { signIn } from '@hearth/testkit/hearth/request.ts';
import { waitUntilProcessed } from '@hearth/testkit/hearth/wait.ts';
import type { CorpusPhoto } from '../corpus/photoCorpus.ts';
import { uploadPhotos } from './uploadPhotos.ts';

/** Cost of an import. */
export interface IngestResult {
  readonly photos: number;
  /** From the first byte sent to the end of the last run. */
  readonly seconds: number;
  /** From the first byte sent to the response of the last upload. */
  readonly uploadSeconds: number;
  /** CPU seconds until `settleSeconds` after the last photo was READY, so that delayed writes count too. */
  readonly cpuByKind: ByKind;
  /** CPU seconds of the uploading client. They are not part of the cost. */
  readonly clientCpuSeconds: number;
  /** Memory at the moment of the highest total. */
  readonly peakMegabytesByKind: ByKind;
  readonly peakMegabytes: number;
}

/** Photos imported before the measurement begins. */
export const warmUpPhotos = 20;

/** Interval of memory samples. Each sample competes with the measured processes for CPU. */
const sampleMs = 1_000;

/** Delayed work counts for this many seconds after the last photo. */
const settleSeconds = 2;

/** An import counts as stuck after a minute without a finished photo. */
const waitOptions = { everyMs: 1_000, timeoutMs: 60_000 } as const;

/**
 * Uploads photos, waits until all are READY, and returns the cost. Unless `isWithoutModels`, it also waits for the
 * model-based components.
 * The first photos are not counted, because they include startup work that a large import pays only once.
 */
export const measureIngest = async (
  { url, credentials, query, processes }: Library,
  all: readonly CorpusPhoto[],
  { connections, isWithoutModels }: { readonly connections: number; readonly isWithoutModels: boolean },
): Promise<IngestResult> => {
  const waitUntilDone = async (count: number): Promise<Date> => {
    const { finishedAt } = await waitUntilProcessed(query, waitOptions, ({ undone, unshown }) =>
      isWithoutModels ? unshown === 0 : undone === 0,
    );
    await assertReady(query, count);
    return finishedAt;
  };
  const token = await signIn(url, credentials);
  await uploadPhotos(url, token, all.slice(0, warmUpPhotos), connections);
  await waitUntilDone(warmUpPhotos);
  await sleep(settleSeconds * 1_000);
  const photos = all.slice(warmUpPhotos);
  const cpuBefore = measureCpu(processes);
  const clientBefore = process.cpuUsage();
  const memory = watchMemory(processes, sampleMs);
  const begunAt = Date.now();
  await uploadPhotos(url, token, photos, connections);
  const uploadSeconds = (Date.now() - begunAt) / 1_000;
  const finishedAt = await waitUntilDone(all.length);
  const peakMegabytesByKind = await memory.stop();
  const { user, system } = process.cpuUsage(clientBefore);
  await sleep(settleSeconds * 1_000);
  return {
    photos: photos.length,
    seconds: (finishedAt.getTime() - begunAt) / 1_000,
    uploadSeconds,
    cpuByKind: subtractCpu(cpuBefore, measureCpu(processes)),
    clientCpuSeconds: (user + system) / 1e6,
    peakMegabytesByKind,
    peakMegabytes: sumCosts(peakMegabytesByKind),
  };
};

/** @throws if the number of READY photos is not `count` */
const assertReady = async (query: Library['query'], count: number): Promise<void> => {
  const [row] = await query<{ ready: number }>(`select count(*)::int as ready from media_items where status = 'READY'`);
  if (row?.ready !== count) throw new Error(`${count - (row?.ready ?? 0)} of ${count} photos failed`);
};
