import type { ScrubStop } from '@hearth/contract/vocabulary.ts';
import { WrongStoreError } from '@hearth/core/backEnds/libraryMarker.ts';
import { walkUnchecked } from '../../features/originals/scrubItems.ts';
import {
  startPass,
  endOverduePass,
  endPass,
  isPassDue,
  recordStopped,
  recordWorking,
  countOriginals,
  findScrubState,
} from '../../features/originals/scrubState.ts';
import { type Lease, underLease } from '../leases/leases.ts';
import { StoreError } from '@hearth/core/objects/objectErrors.ts';
import type { Deps } from '../../deps/deps.ts';
import { MassFailureError } from '../../features/originals/massFailure.ts';
import { scrubBatch } from '../../features/originals/scrubBatch.ts';
import { createThrottle } from '../../features/originals/throttle.ts';
import { countNewerThanFiles } from '../../features/originals/uploadGap.ts';
import { metrics } from '@hearth/core/metrics/metrics.ts';

/*
 * [Note: Scrub] The scrub reads every original once per `HEARTH_SCRUB_DAYS` and compares its checksum.
 *
 * A pass covers the originals uploaded before it started: never-checked ones first, then by age of the last check, at
 * up to `HEARTH_SCRUB_BYTES_PER_SECOND`. Results are rows of `original_checks`, so a restarted process continues the
 * pass.
 *
 * Intact originals are recorded as they are read. Damaged and missing ones are recorded per batch, after a check that
 * the store itself is not at fault. The run stops, and marks no original as damaged or missing, if the store fails, lacks
 * most originals, or has no marker or the marker of another library. A single unreadable item is skipped: the run reads
 * all others, then counts as stopped, and later runs try the item again.
 */

type ScrubDeps = Pick<Deps, 'db' | 'objects' | 'log'> & {
  readonly config: Pick<Deps['config'], 'scrubDays' | 'scrubBytesPerSecond'>;
};

/**
 * Continues the current pass, or starts one if the last pass started `HEARTH_SCRUB_DAYS` ago, see [Note: Scrub]. The
 * position is in the database: originals checked since the start of the pass are done.
 * @throws StoreError, WrongStoreError or MassFailureError if the store is at fault; the housekeeper retries later
 */
export const scrub = async (deps: ScrubDeps, lease: Lease, signal: AbortSignal): Promise<void> => {
  const { db, log, config } = deps;
  if (config.scrubDays === 0 || !(await isPassDue(db, config.scrubDays))) return;
  const write = <Result>(work: (trx: typeof db) => Promise<Result>): Promise<Result> => underLease(db, lease, work);
  const startedAt = await write(startPass);
  const options = { ...deps, write, signal, throttle: createThrottle(config.scrubBytesPerSecond) };
  const faults = { DAMAGED: 0, MISSING: 0 };
  let repaired = 0;
  let isWorking = false;
  let unread = 0;
  try {
    for await (const items of walkUnchecked(db, startedAt)) {
      const batch = await scrubBatch(items, options);
      if (!isWorking && batch.results.length > 0) await write(recordWorking);
      isWorking ||= batch.results.length > 0;
      for (const { item, state } of batch.results) {
        if (state === 'OK') continue;
        faults[state] += 1;
        log.error({ mediaItemId: item.id, state }, 'original damaged or missing; upload it again to repair it');
      }
      for (const { item, error } of batch.unreadableItems) {
        unread += 1;
        log.error({ mediaItemId: item.id, err: error }, 'could not read an original or its renditions; skipped');
      }
      const [first] = batch.unreadableItems;
      if (first !== undefined) await write((trx) => recordStopped(trx, 'STORAGE_FAILED', first.error.message));
      repaired += batch.repaired;
      if (signal.aborted) return;
    }
    if (unread > 0) {
      await write((trx) => endOverduePass(trx, config.scrubDays));
      throw new StoreError(`${unread} items could not be read, see the log; all others were checked`);
    }
  } catch (error) {
    const code = findStop(error);
    if (code !== undefined) await write((trx) => recordStopped(trx, code, (error as Error).message));
    throw error;
  }
  const isComplete = await write(async (trx) => {
    await recordWorking(trx);
    return endPass(trx, startedAt);
  });
  if (!isComplete) return;
  const newerThanFiles = await countNewerThanFiles(db);
  log.info({ ...faults, newerThanFiles, repairedRenditions: repaired }, 'scrub finished; all originals were checked');
};

/** Returns why an error stops the scrub, or undefined if the store is not at fault. */
const findStop = (error: unknown): ScrubStop | undefined => {
  if (error instanceof StoreError) return 'STORAGE_FAILED';
  if (error instanceof WrongStoreError) return 'WRONG_STORAGE';
  return error instanceof MassFailureError ? 'ORIGINALS_MISSING' : undefined;
};

const daySeconds = 86_400;

/** Sets the metric of originals by state. Counts the rows of all items. */
export const measureOriginals = async ({ db }: Pick<Deps, 'db'>): Promise<void> => {
  for (const [state, count] of Object.entries(await countOriginals(db))) metrics.originals.set({ state }, count);
};

/** Sets the metrics of the scrub from a single row. */
export const measureScrub = async ({
  db,
  config,
}: Pick<Deps, 'db'> & { readonly config: Pick<Deps['config'], 'scrubDays'> }): Promise<void> => {
  const state = await findScrubState(db);
  metrics.scrubPeriod.set(config.scrubDays * daySeconds);
  metrics.scrubStopped.set(config.scrubDays > 0 && state?.stoppedAt ? 1 : 0);
  metrics.renditionsRepaired.set(state?.repairedRenditions ?? 0);
  if (state !== undefined) metrics.scrubCompleted.set((state.completedAt ?? state.startedAt).getTime() / 1_000);
};
