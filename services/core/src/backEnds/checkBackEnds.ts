import { setTimeout as sleep } from 'node:timers/promises';
import { pingDatabase, type Database } from '../db/database.ts';
import type { BackEnd } from '../metrics/metrics.ts';
import { isNotFound } from '../objects/objectErrors.ts';
import type { ObjectStore } from '../objects/objects.ts';
import { poolNames } from '../config/pipeline.ts';
import type { Queues } from '../queue/queue.ts';

interface BackEnds {
  readonly db: Database;
  readonly objects: Pick<ObjectStore, 'stat'>;
  readonly queues: Pick<Queues, 'depth'>;
}

/** Timeout of each check, in ms. A healthy back end responds within a tenth of it. */
const timeoutMs = 2_000;

/** No object has this key. A store that reports it as not found is up. */
const unusedKey = 'probe/none';

/** Checks the back ends in parallel. Resolves within little more than two seconds and never rejects. */
export const checkBackEnds = async ({ db, objects, queues }: BackEnds): Promise<Readonly<Record<BackEnd, boolean>>> => {
  const [database, queue, store] = await Promise.all([
    isAvailable(() => pingDatabase(db)),
    isAvailable(() => queues.depth(poolNames[0]!)),
    isAvailable(() => objects.stat(unusedKey).catch(ignoreNotFound)),
  ]);
  return { database, queue, objects: store };
};

const ignoreNotFound = (error: unknown): void => {
  if (!isNotFound(error)) throw error;
};

const isAvailable = async (check: () => Promise<unknown>): Promise<boolean> => {
  const timeout = new AbortController();
  const result = check().then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([result, sleep(timeoutMs, false, { signal: timeout.signal, ref: false })]);
  } finally {
    timeout.abort();
  }
};
