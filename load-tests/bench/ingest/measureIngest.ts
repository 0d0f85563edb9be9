import { setTimeout as sleep } from 'node:timers/promises';
import { cpuBetween, measureCpu, sumOf, watchMemory, type ByKind } from '@hearth/testkit/figures/cost.ts';
import type { Library } from '@hearth/testkit/hearth/hearth.ts';
import { signIn } from '@hearth/testkit/hearth/request.ts';
import { untilProcessed } from '@hearth/testkit/hearth/wait.ts';
import type { CorpusPhoto } from '../corpus/photoCorpus.ts';
import { uploadPhotos } from './uploadPhotos.ts';

/** What an import took. */
export interface Ingested {
  readonly photos: number;
  /** From the first byte that was sent to the end of the last run. */
  readonly seconds: number;
  /** From the first byte to the answer to the last upload. */
  readonly uploadSeconds: number;
  /** CPU seconds until `settleSeconds` after the last photo was READY, so that trailing writes count, too. */
  readonly cpuByKind: ByKind;
  /** CPU seconds of the uploading client, which are not part of the cost. */
  readonly clientCpuSeconds: number;
  /** Memory at the moment when the sum was highest. */
  readonly peakMegabytesByKind: ByKind;
  readonly peakMegabytes: number;
}

/** Photos that are taken in before anything is counted. */
export const warmUpPhotos = 20;

/** Time between two looks at the memory, which share the machine with what they look at. */
const sampleMs = 1_000;

/** How long trailing work is counted. */
const settleSeconds = 2;

/** Looked once a second; after a minute without a photo done an import counts as stuck. */
const patience = { everyMs: 1_000, patienceMs: 60_000 } as const;

/**
 * Uploads photos, waits until all are READY and, unless `isWithoutModels`, models have looked at them, and says what it took. The first of them are not
 * counted: they start what starts with the first work, and an import has thousands.
 */
export const measureIngest = async (
  { url, credentials, query, processes }: Library,
  all: readonly CorpusPhoto[],
  { connections, isWithoutModels }: { readonly connections: number; readonly isWithoutModels: boolean },
): Promise<Ingested> => {
  const waitUntilDone = async (count: number): Promise<Date> => {
    const { finishedAt } = await untilProcessed(query, patience, ({ undone, unshown }) =>
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
    cpuByKind: cpuBetween(cpuBefore, measureCpu(processes)),
    clientCpuSeconds: (user + system) / 1e6,
    peakMegabytesByKind,
    peakMegabytes: sumOf(peakMegabytesByKind),
  };
};

/** @throws unless so many photos are READY */
const assertReady = async (query: Library['query'], count: number): Promise<void> => {
  const [row] = await query<{ ready: number }>(`select count(*)::int as ready from media_items where status = 'READY'`);
  if (row?.ready !== count) throw new Error(`${count - (row?.ready ?? 0)} of ${count} photos have failed`);
};
