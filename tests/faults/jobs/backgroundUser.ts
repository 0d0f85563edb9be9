import { setTimeout as sleep } from 'node:timers/promises';
import type { Query } from '@hearth/testkit/run/actsLog.ts';
import type { Client } from '@hearth/testkit/hearth/client.ts';
import { makePhotos } from '@hearth/testkit/hearth/photos.ts';
import { describeResponse, send } from '@hearth/testkit/hearth/request.ts';
import { waitFor } from '@hearth/testkit/hearth/wait.ts';

/** A user who uses the library normally during the removal. */
export interface BackgroundUser {
  readonly url: string;
  readonly userId: string;
  readonly client: Client;
  readonly query: Query;
}

/** Durations in ms, one entry per activity. */
export interface BackgroundUserTimes {
  /** From the upload's response until the photo is READY. */
  readonly readyMs: number[];
  /** Time that count deltas of the library waited for their roll-up. */
  readonly rollUpMs: number[];
  /** Time without progress of a job. */
  readonly jobStepMs: number[];
  /** Time of a list page. Requests to a killed process are not included. */
  readonly listMs: number[];
}

/** Uploads photos, lists items and reprocesses places until `signal` is aborted. Adds the durations to `times`. */
export const runBackgroundUser = async (
  user: BackgroundUser,
  times: BackgroundUserTimes,
  signal: AbortSignal,
): Promise<void> => {
  await Promise.all([
    upload(user, times, signal),
    watchRollUps(user, times, signal),
    reprocessPlaces(user, times, signal),
    list(user, times, signal),
  ]);
};

/** Pause between two uploads, in ms. Without it the CPU would only process pictures. */
const pauseMs = 300;

const upload = async (
  { client }: BackgroundUser,
  { readyMs }: BackgroundUserTimes,
  signal: AbortSignal,
): Promise<void> => {
  for (let seed = 700; !signal.aborted; seed++, await sleep(pauseMs)) {
    const [photo] = await makePhotos(seed, 1);
    const id = await client.upload(photo!);
    const begunAt = performance.now();
    const status = await waitFor(
      `${id} is done`,
      async () => {
        const { status } = await client.get(id);
        return status !== 'PROCESSING' && status;
      },
      { timeoutMs: Infinity },
    );
    if (status === 'FAILED') throw new Error(`${id} is FAILED`);
    readyMs.push(performance.now() - begunAt);
  }
};

const watchRollUps = async (
  { query, userId }: BackgroundUser,
  { rollUpMs }: BackgroundUserTimes,
  signal: AbortSignal,
): Promise<void> => {
  let [oldest, since]: [string | null, number] = [null, performance.now()];
  for (; !signal.aborted; await sleep(200)) {
    const [row] = await query<{ id: string | null }>('select min(id) as id from count_deltas where user_id = $1', [
      userId,
    ]);
    const now = performance.now();
    if (row!.id === oldest) continue;
    if (oldest !== null) rollUpMs.push(now - since);
    [oldest, since] = [row!.id, now];
  }
  // The oldest delta has waited at least until now.
  if (oldest !== null) rollUpMs.push(performance.now() - since);
};

const reprocessPlaces = async (
  { client }: BackgroundUser,
  { jobStepMs }: BackgroundUserTimes,
  signal: AbortSignal,
): Promise<void> => {
  let progressAt = performance.now();
  const recordProgress = (): void => {
    jobStepMs.push(performance.now() - progressAt);
    progressAt = performance.now();
  };
  while (!signal.aborted) {
    const id = await client.createJob(['PLACES']);
    recordProgress();
    for (let done = 0; !signal.aborted; await sleep(200)) {
      const { progress, status } = await client.getJob(id);
      if (progress.done !== done || status === 'COMPLETED') recordProgress();
      done = progress.done;
      if (status === 'COMPLETED') break;
    }
  }
  jobStepMs.push(performance.now() - progressAt);
};

const list = async (
  { url, client }: BackgroundUser,
  { listMs }: BackgroundUserTimes,
  signal: AbortSignal,
): Promise<void> => {
  for (let token = ''; !signal.aborted; await sleep(100)) {
    const begunAt = performance.now();
    const response = await send(url, '/v1/mediaItems?limit=100', { token }).catch(() => undefined);
    if (response?.status === 401) token = await client.token();
    else if (response?.status === 200) listMs.push(performance.now() - begunAt);
    else if (response !== undefined && response.status !== 503) throw new Error(describeResponse('a list', response));
  }
};
