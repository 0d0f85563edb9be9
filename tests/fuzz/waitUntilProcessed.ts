import { MediaItemDetails } from '@hearth/contract/mediaItem.ts';
import { waitFor } from '@hearth/testkit/hearth/wait.ts';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import type { FuzzedInstallation } from './installation.ts';
import type { FuzzUser } from './fuzzUser.ts';

/** Timeout for processing all accepted items in ms, generous enough for a busy machine. */
const timeoutMs = 600_000;

/** An item in an unexpected state. */
export class ItemFault extends Error {
  readonly id: string | undefined;

  constructor(id: string | undefined, message: string) {
    super(message);
    this.name = 'ItemFault';
    this.id = id;
  }
}

/**
 * Waits until a user's items are processed, and counts them by status: `READY`, or `FAILED` or `BLOCKED` with a reason.
 * @throws ItemFault
 */
export const waitUntilProcessed = async (
  { query, findDeadReplica }: FuzzedInstallation,
  owner: FuzzUser,
  ids: readonly string[],
): Promise<Map<string, number>> => {
  let unfinished: readonly { id: string }[] = [];
  const areDone = async (): Promise<boolean> => {
    // Five retries would take two minutes, so each is made due at once. Rows that a worker has locked are skipped to avoid a deadlock.
    await query(
      `with waiting as (
        select media_item_id, component from component_runs where state = 'PENDING' and next_attempt_at > now() for update skip locked)
      update component_runs as run set next_attempt_at = now() from waiting
        where run.media_item_id = waiting.media_item_id and run.component = waiting.component`,
    );
    unfinished = await query<{ id: string }>(
      `select distinct media_item_id as id from component_runs
        where state in ('PENDING', 'RUNNING') and media_item_id = any($1)`,
      [ids],
    );
    const dead = findDeadReplica();
    if (unfinished.length > 0 && dead !== undefined) throw new ItemFault(undefined, dead);
    return unfinished.length === 0;
  };
  await waitFor('all items are done', areDone, { timeoutMs, everyMs: 200 }).catch((error: unknown) => {
    if (error instanceof ItemFault) throw error;
    throw new ItemFault(unfinished[0]?.id, `${unfinished.length} items are not finished: ${String(error)}`);
  });
  const ends = new Map<string, number>();
  for (const id of ids) {
    const end = describeEnd(id, await owner.getItem(id));
    ends.set(end, (ends.get(end) ?? 0) + 1);
  }
  return ends;
};

/**
 * Uploads a valid photo and waits until it is READY.
 * @throws ItemFault
 */
export const checkUntouchedPhoto = async (installation: FuzzedInstallation, owner: FuzzUser): Promise<void> => {
  const id = await owner.upload(await makeTestPhoto({ seed: 99, takenAt: '2022:04:03 12:56:11' }));
  const [end] = [...(await waitUntilProcessed(installation, owner, [id])).keys()];
  if (end !== 'READY') throw new ItemFault(id, `a valid photo ended as ${end}`);
};

const describeEnd = (id: string, response: unknown): string => {
  const { data: item, error } = MediaItemDetails.safeParse(response);
  if (item === undefined) throw new ItemFault(id, `${error.message}: ${JSON.stringify(response)}`);
  // The installation has no models.
  const runs = item.processing.filter(({ reason }) => reason !== 'NO_MODEL');
  const unexpected = runs.filter(({ state }) => state === 'FAILED' || state === 'BLOCKED');
  const end = unexpected.some(({ state }) => state === 'BLOCKED') ? 'BLOCKED' : item.status;
  const isExplained =
    unexpected.every(({ reason }) => reason !== undefined) && (unexpected.length > 0 || end === 'READY');
  if (end === 'PROCESSING' || !isExplained) throw new ItemFault(id, `ended as ${JSON.stringify(item)}`);
  return end;
};
