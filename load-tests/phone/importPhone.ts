import { openAsBlob } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Query } from '@hearth/core/testing/actsLog.ts';
import { cpuBetween, measureCpu } from '../bench/familyCost.ts';
import { openClient, type Client } from '../faults/client.ts';
import { kindOf, sumOf, watchMemory } from '../faults/memory.ts';
import { createRandom } from '../faults/random.ts';
import type { Library } from '../media/importMedia.ts';
import type { Phone, PhoneFile } from './takePhone.ts';

/** What an import of a phone came to. */
export interface PhoneReport {
  readonly figures: Readonly<Record<string, number>>;
  /** A sentence for each thing that is not as it should be. */
  readonly faults: readonly string[];
  /** A sentence for each bound of memory and time that is missed. */
  readonly missed: readonly string[];
}

/** What it must keep to, whatever there is to be transcoded. */
export const bounds = { peakMegabytes: 1_200, idleWithPhotosMs: 5_000 } as const;

/** Uploads at the same time. */
const lanes = 4;

/** Seconds in which no run ends after which an import counts as stuck: longer than the longest transcode of a phone's videos. */
const patienceSeconds = 600;

/**
 * Uploads what a phone holds, in no order, so that now the photo and now the video of a Live Photo comes first, and waits until all of it
 * is done, transcodes included. Whether photos wait for videos is watched all the time.
 */
export const importPhone = async (phone: Phone, seed: number, library: Library): Promise<PhoneReport> => {
  const { url, credentials, query, family } = library;
  const client = openClient(url, credentials, new AbortController().signal);
  const token = await client.token();
  const memory = watchMemory(family, 1_000);
  const cpuBefore = measureCpu(family, kindOf);
  const queue = watchPhotoQueue(query);
  const startedAt = Date.now();
  const ids = await uploadAll(phone.files, seed, url, token);
  const uploadedAt = Date.now();
  const { shownAt, doneAt } = await waitUntilDone(query);
  const { longestIdleMs, samples, transcoding } = await queue.stop();
  const peakMegabytes = sumOf(await memory.stop());
  const cpuSeconds = sumOf(cpuBetween(cpuBefore, measureCpu(family, kindOf)));
  const missed: string[] = [];
  if (peakMegabytes > bounds.peakMegabytes) {
    missed.push(`${peakMegabytes.toFixed(0)} MB at the peak, allowed are ${bounds.peakMegabytes}`);
  }
  if (longestIdleMs > bounds.idleWithPhotosMs)
    missed.push(`photos waited for ${longestIdleMs} ms and none was worked on`);
  return {
    figures: {
      items: phone.items,
      files: phone.files.length,
      'seconds until all is uploaded': seconds(uploadedAt - startedAt),
      'seconds until all is shown': seconds(shownAt - startedAt),
      'seconds until all videos play': seconds(doneAt - startedAt),
      'CPU seconds': Math.round(cpuSeconds),
      'MB at the peak (PSS)': Math.round(peakMegabytes),
      'longest time in ms in which photos waited and none was worked on': longestIdleMs,
      'looks at the queue': samples,
      'of them while a video was transcoded': transcoding,
    },
    faults: await findFaults(phone, ids, client, query),
    missed,
  };
};

const seconds = (ms: number): number => Math.round(ms / 1_000);

type Ids = ReadonlyMap<PhoneFile, string>;

const uploadAll = async (files: readonly PhoneFile[], seed: number, url: string, token: string): Promise<Ids> => {
  const left = createRandom(seed).shuffle(files);
  const ids = new Map<PhoneFile, string>();
  const uploadNext = async (): Promise<void> => {
    for (let file = left.pop(); file !== undefined; file = left.pop()) {
      const body = new FormData();
      body.append('file', await openAsBlob(file.path), file.filename);
      const headers = { Authorization: `Bearer ${token}` };
      const response = await fetch(`${url}/v1/mediaItems`, { method: 'POST', headers, body });
      if (response.status !== 201)
        throw new Error(`${file.filename} was answered ${response.status}: ${await response.text()}`);
      ids.set(file, ((await response.json()) as { id: string }).id);
    }
  };
  await Promise.all(Array.from({ length: lanes }, uploadNext));
  return ids;
};

/** Looks four times a second whether runs of photos wait while none of a photo is under way: one of a video does not help them, a poster neither. */
const watchPhotoQueue = (query: Query) => {
  const stopping = new AbortController();
  let [samples, transcoding, idleSince, longestIdleMs] = [0, 0, NaN, 0];
  const watching = (async () => {
    for (; !stopping.signal.aborted; await sleep(250)) {
      const [row] = await query<{ waiting: boolean; working: boolean; transcoding: boolean }>(`
        select coalesce(bool_or(state = 'PENDING' and type = 'PHOTO' and component <> 'TRANSCODE'), false) as waiting,
          coalesce(bool_or(state = 'RUNNING' and type = 'PHOTO' and component <> 'TRANSCODE'), false) as working,
          coalesce(bool_or(state = 'RUNNING' and component = 'TRANSCODE'), false) as transcoding
        from component_runs join media_items on media_item_id = media_items.id where state in ('PENDING', 'RUNNING')`);
      samples += 1;
      if (row?.transcoding === true) transcoding += 1;
      const isIdle = row?.waiting === true && !row.working;
      idleSince = isIdle ? idleSince || Date.now() : NaN;
      if (isIdle) longestIdleMs = Math.max(longestIdleMs, Date.now() - idleSince);
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await watching;
      return { samples, transcoding, longestIdleMs };
    },
  };
};

/** @throws when nothing moves any more */
const waitUntilDone = async (query: Query): Promise<{ readonly shownAt: number; readonly doneAt: number }> => {
  let state = '';
  let shownAt: number | undefined;
  for (let stuckSeconds = 0; stuckSeconds < patienceSeconds; stuckSeconds += 1) {
    const [row] = await query<{ undone: number; unshown: number; state: string }>(`
      select count(*) filter (where state in ('PENDING', 'RUNNING'))::int as undone,
        count(*) filter (where state in ('PENDING', 'RUNNING') and component <> 'TRANSCODE')::int as unshown,
        concat(count(*) filter (where state in ('PENDING', 'RUNNING')), ' ', max(finished_at)) as state
      from component_runs`);
    if (row?.unshown === 0) shownAt ??= Date.now();
    if (row?.undone === 0) return { shownAt: shownAt ?? Date.now(), doneAt: Date.now() };
    if (row !== undefined && row.state !== state) stuckSeconds = 0;
    state = row?.state ?? state;
    await sleep(1_000);
  }
  throw new Error(`runs are undone, and nothing has moved for ${patienceSeconds} s: ${state}`);
};

/** Every file is shown, every Live Photo is one item that moves, and every video can be played. */
const findFaults = async (phone: Phone, ids: Ids, client: Client, query: Query): Promise<string[]> => {
  const faults: string[] = [];
  const { items, totalCount } = await client.list();
  const listed = new Map(items.map((item) => [item.id, item]));
  if (totalCount !== phone.items) faults.push(`${totalCount} items are counted, expected ${phone.items}`);
  if (items.length !== phone.items) faults.push(`${items.length} items are listed, expected ${phone.items}`);
  for (const [{ filename, kind }, id] of ids) {
    const item = listed.get(id);
    if (kind === 'liveVideo' ? item !== undefined : item === undefined)
      faults.push(`${filename} is wrongly in lists or not`);
    if (item !== undefined && item.status !== 'READY') faults.push(`${filename} is ${item.status}`);
    if (kind === 'heic' && item?.motionUrl === undefined) faults.push(`${filename} does not move`);
    if (kind === 'video' && item?.previewUrl === undefined) faults.push(`${filename} cannot be played`);
  }
  const failed = await query<{ what: string }>(
    `select concat(component, ' ', state, ' ', reason, ' ', attempts) as what from component_runs
    where state not in ('DONE', 'SKIPPED') or attempts > 1 limit 20`,
  );
  faults.push(...failed.map(({ what }) => `a run needed attention: ${what}`));
  return faults;
};
