import { setTimeout as sleep } from 'node:timers/promises';
import { openClient } from '../faults/client.ts';
import { kindOf, sumOf, watchMemory } from '../faults/memory.ts';
import type { Benched } from './benched.ts';
import { cpuBetween, measureCpu, type CpuByKind } from './familyCost.ts';
import type { CorpusPhoto } from './photoCorpus.ts';
import { uploadPhotos } from './uploadPhotos.ts';

/** What an import took. */
export interface Ingested {
  readonly photos: number;
  /** From the first byte that was sent to the end of the last run. */
  readonly seconds: number;
  /** Until the last upload was answered. */
  readonly uploadSeconds: number;
  /** Until `settleSeconds` after the last photo was READY, so that what is written behind its back counts too. */
  readonly cpuByKind: CpuByKind;
  /** What the uploading client took, which shares the machine and is not counted. */
  readonly clientCpuSeconds: number;
  /** At the moment when the sum was highest. */
  readonly peakMegabytesByKind: Readonly<Record<string, number>>;
  readonly peakMegabytes: number;
}

/** Photos that are taken in before anything is counted. */
export const warmUpPhotos = 20;

/** Time between two looks at the memory, which share the machine with what they look at. */
const sampleMs = 1_000;

/** How long trailing work is counted. */
const settleSeconds = 2;

/** Seconds without a photo done after which an import counts as stuck. */
const patienceSeconds = 60;

/**
 * Uploads photos, waits until all are READY, and says what it took. The first of them are not counted: they start what starts with the
 * first work, and an import has thousands.
 */
export const measureIngest = async (
  { url, credentials, query, family }: Benched,
  all: readonly CorpusPhoto[],
  connections: number,
): Promise<Ingested> => {
  const token = await openClient(url, credentials, new AbortController().signal).token();
  await uploadPhotos(url, token, all.slice(0, warmUpPhotos), connections);
  await waitUntilDone(query, warmUpPhotos);
  await sleep(settleSeconds * 1_000);
  const photos = all.slice(warmUpPhotos);
  const cpuBefore = measureCpu(family, kindOf);
  const clientBefore = process.cpuUsage();
  const memory = watchMemory(family, sampleMs);
  const begunAt = Date.now();
  await uploadPhotos(url, token, photos, connections);
  const uploadSeconds = (Date.now() - begunAt) / 1_000;
  const finishedAt = await waitUntilDone(query, all.length);
  const peakMegabytesByKind = await memory.stop();
  const { user, system } = process.cpuUsage(clientBefore);
  await sleep(settleSeconds * 1_000);
  return {
    photos: photos.length,
    seconds: (finishedAt.getTime() - begunAt) / 1_000,
    uploadSeconds,
    cpuByKind: cpuBetween(cpuBefore, measureCpu(family, kindOf)),
    clientCpuSeconds: (user + system) / 1e6,
    peakMegabytesByKind,
    peakMegabytes: sumOf(peakMegabytesByKind),
  };
};

/** Asked of the database once a second, which costs less than asking the API. @throws unless every photo becomes READY */
const waitUntilDone = async (query: Benched['query'], count: number): Promise<Date> => {
  let done = -1;
  for (let stuckSeconds = 0; stuckSeconds < patienceSeconds; stuckSeconds++) {
    const [row] = await query<Progress>(`
      select (select count(*)::int from media_items where status = 'READY') as ready,
        (select count(*)::int from component_runs where state in ('PENDING', 'RUNNING')) as undone,
        (select max(finished_at) from component_runs) as "finishedAt"`);
    if (row?.undone === 0) {
      if (row.ready !== count) throw new Error(`${count - row.ready} of ${count} photos have failed`);
      return row.finishedAt;
    }
    if (row !== undefined && row.undone !== done) stuckSeconds = 0;
    done = row?.undone ?? done;
    await sleep(1_000);
  }
  throw new Error(`${done} runs are undone, and nothing has moved for ${patienceSeconds} s`);
};

interface Progress {
  readonly ready: number;
  readonly undone: number;
  readonly finishedAt: Date;
}
