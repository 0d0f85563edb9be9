import { sql } from 'kysely';
import type { ComponentName } from '@hearth/contract/vocabulary.ts';
import { components, type Pipeline } from '../config/pipeline.ts';
import { isHeldBy, maxAttempts, type Claim } from './componentRuns.ts';
import { transaction, type Database } from '../db/database.ts';
import { prepared } from '../db/preparedStatements.ts';
import { noJob } from './jobRuns.ts';
import { listDueRuns, requiredOf, updateStatus } from './itemStatus.ts';
import { lockLivePhotos } from '../items/livePhotos.ts';
import { findPairs, pairItem } from './pairedOutcomes.ts';
import type { MediaItemChanges } from '../db/schema.ts';
import { askForRuns } from './wantedRuns.ts';

/**
 * Rows besides the item's own that come with an outcome. They are written in its transaction, where the item's row is locked, before the changes of
 * the item.
 */
export interface OutcomeWrites {
  /** A lock that all who write such rows take, before they lock any row. */
  readonly lock?: (trx: Database) => Promise<void>;
  readonly write: (trx: Database) => Promise<void>;
}

/** What a run came to. `reason` is a code of `contract/reasons.ts`. */
export type Outcome =
  | {
      readonly state: 'DONE';
      readonly changes?: MediaItemChanges;
      readonly writes?: OutcomeWrites;
      /** Components that follow another one and that the item needs, as this run has found out. */
      readonly wants?: readonly ComponentName[];
      readonly warnings: readonly string[];
    }
  | { readonly state: 'SKIPPED'; readonly reason: string; readonly writes?: OutcomeWrites }
  | { readonly state: 'BLOCKED'; readonly reason: string; readonly blockedOn: string }
  /** Not to be tried again. */
  | { readonly state: 'FAILED'; readonly reason: string; readonly changes?: MediaItemChanges }
  /** Tried again after a while, until the attempts are used up. */
  | { readonly state: 'RETRY'; readonly reason: string }
  /** Not the file's fault, such as a store that is away: tried again after a few seconds or so many milliseconds, and the attempt does not count. */
  | { readonly state: 'POSTPONED'; readonly reason: string; readonly afterMs?: number };

/** Milliseconds until the second, third … attempt of a run that failed: about two minutes in all. */
const backoffMs = [2_000, 10_000, 30_000, 90_000] as const;

/** Milliseconds until a run is tried again that failed through no fault of its file, where its outcome does not say. */
const postponeMs = 5_000;

/**
 * Writes what a run came to, its changes of the item, its other writes and the item's status, in one transaction.
 * @returns what is due of the item now, in whatever pool, and nobody works on; undefined when the claim has passed to another process or the item is gone: then nothing was written
 */
export const recordOutcome = async (
  db: Database,
  claim: Claim,
  outcome: Outcome,
  pipeline: Pipeline = components,
): Promise<readonly ComponentName[] | undefined> =>
  transaction(db, async (trx) => {
    const changes = 'changes' in outcome ? outcome.changes : undefined;
    const writes = 'writes' in outcome ? outcome.writes : undefined;
    await writes?.lock?.(trx);
    const contentIdentifiers = findPairs(claim, changes);
    if (contentIdentifiers !== undefined)
      await lockLivePhotos(trx, claim.userId, { ids: [claim.mediaItemId], contentIdentifiers });
    const { numUpdatedRows } = await prepared(trx, 'record_outcome')
      // The item is locked before the run, so that of two pools that finish an item's last runs at the same time one sees the other's outcome.
      .with('item', (qb) =>
        qb
          .selectFrom('media_items')
          .select('id')
          .where('id', '=', claim.mediaItemId)
          .where('removing_at', 'is', null)
          .forUpdate(),
      )
      .updateTable('component_runs')
      .from('item')
      .set({ blocked_on: null, claim_id: null, lease_until: null, progress: null, ...runColumns(claim, outcome) })
      .whereRef('component_runs.media_item_id', '=', 'item.id')
      .where(isHeldBy(claim))
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) return undefined;
    await writes?.write(trx);
    if ('wants' in outcome) await askForRuns(trx, claim, outcome.wants ?? []);
    // The item's row is written only where it may change: each write costs counts and events too.
    const isItemConcerned = changes !== undefined || requiredOf(pipeline).includes(claim.component);
    const due = await (isItemConcerned
      ? updateStatus(trx, claim.mediaItemId, changes, pipeline)
      : listDueRuns(trx, claim.mediaItemId, pipeline));
    if (contentIdentifiers !== undefined) await pairItem(trx, claim, contentIdentifiers);
    return due;
  });

const runColumns = (claim: Claim, outcome: Outcome) => {
  switch (outcome.state) {
    case 'DONE':
      return { state: outcome.state, reason: null, warnings: [...outcome.warnings], ...finished };
    case 'SKIPPED':
    case 'FAILED':
      return { state: outcome.state, reason: outcome.reason, ...finished };
    case 'BLOCKED':
      return { state: outcome.state, reason: outcome.reason, blocked_on: outcome.blockedOn, ...noJob };
    case 'POSTPONED':
      return {
        state: 'PENDING' as const,
        reason: pendingReason(claim, outcome.reason),
        attempts: claim.attempts - 1,
        next_attempt_at: inMs(outcome.afterMs ?? postponeMs),
      };
    case 'RETRY': {
      if (claim.attempts >= maxAttempts) {
        return { state: 'FAILED' as const, reason: outcome.reason, ...finished };
      }
      const delayMs = backoffMs[claim.attempts - 1] ?? 90_000;
      return {
        state: 'PENDING' as const,
        reason: pendingReason(claim, outcome.reason),
        next_attempt_at: inMs(delayMs),
      };
    }
  }
};

/** Keeps TIMED_OUT as the reason after any timeout: the next claim reads it. */
const pendingReason = ({ hasTimedOut }: Claim, reason: string): string => (hasTimedOut ? 'TIMED_OUT' : reason);

const finished = { finished_at: sql<Date>`now()`, ...noJob };

const inMs = (ms: number) => sql<Date>`clock_timestamp() + ${ms} * interval '1 millisecond'`;
