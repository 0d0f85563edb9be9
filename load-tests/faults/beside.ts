import { setTimeout as sleep } from 'node:timers/promises';
import type { Query } from '@hearth/core/testing/actsLog.ts';
import type { Client } from '../harness/client.ts';
import { makePhotos } from '../harness/photos.ts';
import { describeAnswer, send } from '../harness/request.ts';
import { until } from '../harness/wait.ts';

/** Whose everyday is watched. */
export interface Bystander {
  readonly url: string;
  readonly userId: string;
  readonly client: Client;
  readonly query: Query;
}

/** How often each thing was done, and the milliseconds of each time. */
export interface Everyday {
  /** From the upload's answer until the photo is READY. */
  readonly readyMs: number[];
  /** How long deltas of the library's counts were seen to wait until they were rolled up. */
  readonly rollUpMs: number[];
  /** How long the job, one after another, was seen to stand still. */
  readonly jobStepMs: number[];
  /** Answers to a page of the library; those that a dead process owes are left out. */
  readonly listMs: number[];
}

/** Goes on uploading photos, listing and having places redone until `signal` is aborted, and answers through `everyday` meanwhile. */
export const liveBeside = async (bystander: Bystander, everyday: Everyday, signal: AbortSignal): Promise<void> => {
  await Promise.all([
    upload(bystander, everyday, signal),
    watchRollUps(bystander, everyday, signal),
    redoPlaces(bystander, everyday, signal),
    list(bystander, everyday, signal),
  ]);
};

const upload = async ({ client }: Bystander, { readyMs }: Everyday, signal: AbortSignal): Promise<void> => {
  for (let seed = 700; !signal.aborted; seed++) {
    const [photo] = await makePhotos(seed, 1);
    const id = await client.upload(photo!);
    const begunAt = performance.now();
    const status = await until(
      `${id} is done`,
      async () => {
        const { status } = await client.get(id);
        return status !== 'PROCESSING' && status;
      },
      { patienceMs: Infinity },
    );
    if (status === 'FAILED') throw new Error(`${id} has FAILED`);
    readyMs.push(performance.now() - begunAt);
  }
};

const watchRollUps = async (
  { query, userId }: Bystander,
  { rollUpMs }: Everyday,
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
  // What waits still has waited for so long at least.
  if (oldest !== null) rollUpMs.push(performance.now() - since);
};

const redoPlaces = async ({ client }: Bystander, { jobStepMs }: Everyday, signal: AbortSignal): Promise<void> => {
  let movedAt = performance.now();
  const move = (): void => {
    jobStepMs.push(performance.now() - movedAt);
    movedAt = performance.now();
  };
  while (!signal.aborted) {
    const id = await client.createJob(['PLACES']);
    move();
    for (let done = 0; !signal.aborted; await sleep(200)) {
      const { progress, status } = await client.getJob(id);
      if (progress.done !== done || status === 'COMPLETED') move();
      done = progress.done;
      if (status === 'COMPLETED') break;
    }
  }
  jobStepMs.push(performance.now() - movedAt);
};

const list = async ({ url, client }: Bystander, { listMs }: Everyday, signal: AbortSignal): Promise<void> => {
  for (let token = ''; !signal.aborted; await sleep(100)) {
    const begunAt = performance.now();
    const answer = await send(url, '/v1/mediaItems?limit=100', { token }).catch(() => undefined);
    if (answer?.status === 401) token = await client.token();
    else if (answer?.status === 200) listMs.push(performance.now() - begunAt);
    else if (answer !== undefined && answer.status !== 503) throw new Error(describeAnswer('a list', answer));
  }
};
