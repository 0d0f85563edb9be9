import { openAsBlob } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Query } from '@hearth/testkit/run/actsLog.ts';
import { createRandom } from '@hearth/testkit/run/seededRandom.ts';
import { openClient, type Client } from '@hearth/testkit/hearth/client.ts';
import { subtractCpu, findExcess, measureCpu, sumCosts, watchMemory } from '@hearth/testkit/figures/cost.ts';
import type { Library } from '@hearth/testkit/hearth/hearth.ts';
import { mapConcurrently } from '@hearth/testkit/hearth/mapConcurrently.ts';
import { describeResponse, makeForm, uploadOnce } from '@hearth/testkit/hearth/request.ts';
import { waitUntilProcessed } from '@hearth/testkit/hearth/wait.ts';
import type { PhoneLibrary, PhoneFile } from './makePhoneLibrary.ts';

/** Results of a phone import. */
export interface PhoneReport {
  readonly figures: Readonly<Record<string, number>>;
  /** Messages for wrong results. */
  readonly faults: readonly string[];
  /** Messages for exceeded memory and time bounds. */
  readonly missed: readonly string[];
}

/** Longest time in ms that photos may wait while no photo is processed, however many videos are being transcoded. */
const bounds = { idleWithPhotosMs: 5_000 } as const;

/** Concurrent uploads. */
const concurrency = 4;

/**
 * An import counts as stuck when no run has finished for `timeoutMs`, longer than the longest transcode of a phone
 * video.
 */
const waitOptions = { timeoutMs: 600_000, everyMs: 1_000 } as const;

/**
 * Uploads a phone's files in random order, so that either half of a Live Photo may come first, and waits until
 * everything is finished, including transcodes. Monitors whether photos wait for videos.
 */
export const importPhone = async (phone: PhoneLibrary, seed: number, library: Library): Promise<PhoneReport> => {
  const { url, credentials, query, processes } = library;
  const client = openClient(url, credentials);
  const token = await client.token();
  const memory = watchMemory(processes, 1_000);
  const cpuBefore = measureCpu(processes);
  const queue = watchPhotoQueue(query);
  const startedAt = Date.now();
  const ids = await uploadAll(phone.files, seed, url, token);
  const uploadedAt = Date.now();
  await waitUntilProcessed(query, waitOptions, ({ unshown }) => unshown === 0);
  const shownAt = Date.now();
  await waitUntilProcessed(query, waitOptions);
  const doneAt = Date.now();
  const { longestIdleMs, samples, transcoding } = await queue.stop();
  const peak = await memory.stop();
  const cpuSeconds = sumCosts(subtractCpu(cpuBefore, measureCpu(processes)));
  const missed = findExcess(peak);
  if (longestIdleMs > bounds.idleWithPhotosMs)
    missed.push(`photos waited for ${longestIdleMs} ms while none was processed`);
  return {
    figures: {
      items: phone.items,
      files: phone.files.length,
      'seconds until all are uploaded': seconds(uploadedAt - startedAt),
      'seconds until all are READY': seconds(shownAt - startedAt),
      'seconds until all videos are playable': seconds(doneAt - startedAt),
      'CPU seconds': Math.round(cpuSeconds),
      'MB at the peak (PSS)': Math.round(sumCosts(peak)),
      ...Object.fromEntries(
        Object.entries(peak).map(([kind, megabytes]) => [`of them: ${kind}`, Math.round(megabytes)]),
      ),
      'longest time without an active photo while photos waited, ms': longestIdleMs,
      'samples of the queue': samples,
      'samples during a transcode': transcoding,
    },
    faults: await findFaults(phone, ids, client, query),
    missed,
  };
};

const seconds = (ms: number): number => Math.round(ms / 1_000);

type UploadedIds = ReadonlyMap<PhoneFile, string>;

const uploadAll = async (
  files: readonly PhoneFile[],
  seed: number,
  url: string,
  token: string,
): Promise<UploadedIds> => {
  const ids = await mapConcurrently(concurrency, createRandom(seed).shuffle(files).toReversed(), async (file) => {
    const response = await uploadOnce(url, token, makeForm(file.filename, await openAsBlob(file.path)));
    if (response.status !== 201) throw new Error(describeResponse(file.filename, response));
    return [file, (JSON.parse(response.text) as { id: string }).id] as const;
  });
  return new Map(ids);
};

/**
 * Checks four times a second whether photo runs wait while no photo run is active. Video and poster runs do not count
 * as progress for photos.
 */
const watchPhotoQueue = (query: Query) => {
  const stopping = new AbortController();
  let [samples, transcoding, idleSince, longestIdleMs] = [0, 0, NaN, 0];
  const watching = (async () => {
    for (; !stopping.signal.aborted; await sleep(250)) {
      const [row] = await query<{ waiting: boolean; working: boolean; transcoding: boolean }>(`
        select coalesce(bool_or(state = 'PENDING' and type = 'PHOTO' and component <> 'TRANSCODE'), false) as waiting,
          coalesce(bool_or(state = 'RUNNING' and type = 'PHOTO' and component <> 'TRANSCODE'), false) as working,
          coalesce(bool_or(state = 'RUNNING' and component = 'TRANSCODE'), false) as transcoding
        from component_runs where state in ('PENDING', 'RUNNING')`);
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

/** Checks that every file is shown, every Live Photo is one item with motion, and every video plays. */
const findFaults = async (phone: PhoneLibrary, ids: UploadedIds, client: Client, query: Query): Promise<string[]> => {
  const faults: string[] = [];
  const { items, totalCount } = await client.list();
  const listed = new Map(items.map((item) => [item.id, item]));
  if (totalCount !== phone.items) faults.push(`total count is ${totalCount}, expected ${phone.items}`);
  if (items.length !== phone.items) faults.push(`${items.length} items are listed, expected ${phone.items}`);
  for (const [{ filename, kind }, id] of ids) {
    const item = listed.get(id);
    if (kind === 'liveVideo' ? item !== undefined : item === undefined)
      faults.push(`${filename}: wrong visibility in lists`);
    if (item !== undefined && item.status !== 'READY') faults.push(`${filename} is ${item.status}`);
    if (kind === 'heic' && item?.motionUrl === undefined) faults.push(`${filename} has no motion video`);
    if (kind === 'video' && item?.previewUrl === undefined) faults.push(`${filename} is not playable`);
  }
  const failed = await query<{ what: string }>(
    `select concat(component, ' ', state, ' ', reason, ' ', attempts) as what from component_runs
    where (state not in ('DONE', 'SKIPPED') or attempts > 1) and reason is distinct from 'NO_MODEL' limit 20`,
  );
  faults.push(...failed.map(({ what }) => `failed or blocked run: ${what}`));
  return faults;
};
