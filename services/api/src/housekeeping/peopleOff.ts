import { setTimeout as sleep } from 'node:timers/promises';
import type { Lease } from './leases/leases.ts';
import { deletePeopleOfUser } from '../features/people/deletePeople.ts';
import { startDeletingPeople, startPeopleClocks, stopPeopleClocks } from '@hearth/core/people/peopleOff.ts';
import { isFaceKey, userPrefix } from '@hearth/core/objects/keys.ts';
import type { ObjectStore } from '@hearth/core/objects/objects.ts';
import type { Deps } from '../deps/deps.ts';

/** Objects deleted per request. */
const batchSize = 500;

/** Interval at which every process stops the clocks of users with people switched on, in ms. */
const stopEveryMs = 60_000;

type PeopleDeps = Pick<Deps, 'db'> & { readonly config: Pick<Deps['config'], 'featuresOff'> };

/**
 * Starts the clocks of users with people switched off and stops the others, see [Note: People switched off]. Safe in
 * two processes at once.
 */
export const updatePeopleClocks = async ({ db, config }: PeopleDeps): Promise<void> => {
  await startPeopleClocks(db, config.featuresOff);
  await stopPeopleClocks(db, config.featuresOff);
};

/**
 * Stops the clocks of users with people switched on, every minute until `signal` aborts. Runs in every process, with or
 * without the lease. So a replica with people switched on prevents replicas with other settings from deleting faces.
 */
export const keepStoppingPeopleClocks = async (
  deps: PeopleDeps & Pick<Deps, 'log'>,
  signal: AbortSignal,
): Promise<void> => {
  while (!signal.aborted) {
    await stopPeopleClocks(deps.db, deps.config.featuresOff).catch((error: unknown) =>
      deps.log.warn({ err: error }, 'could not record that people recognition is on; retrying'),
    );
    await sleep(stopEveryMs, undefined, { signal }).catch(() => undefined);
  }
};

/**
 * Deletes the faces, embeddings, face pictures and people of users whose people were off for `peopleKeptDays`. Pictures
 * are deleted before rows, so that the next call can complete an interrupted removal.
 */
export const deleteSwitchedOffPeople = async (
  { db, objects, config, log }: PeopleDeps & Pick<Deps, 'objects' | 'log'>,
  _lease: Lease,
  signal?: AbortSignal,
): Promise<void> => {
  for (const userId of await startDeletingPeople(db, config.featuresOff)) {
    await removeFacePictures(objects, userId, signal);
    await deletePeopleOfUser(db, userId, signal);
    if (signal?.aborted === true) return;
    log.info({ userId }, 'removed names and faces; people recognition was off for too long');
  }
};

/** Lists the store instead of rows, because a killed worker may have left pictures without a row. */
const removeFacePictures = async (objects: ObjectStore, userId: string, signal?: AbortSignal): Promise<void> => {
  let batch: string[] = [];
  for await (const { key } of objects.list(userPrefix(userId))) {
    if (signal?.aborted === true) return;
    if (isFaceKey(key)) batch.push(key);
    if (batch.length < batchSize) continue;
    await objects.remove(batch);
    batch = [];
  }
  await objects.remove(batch);
};
