import { sql } from 'kysely';
import type { ComponentName } from '@hearth/contract/vocabulary.ts';
import { components, type Pipeline, getComponentVersion } from '../config/pipeline.ts';
import { isClaimedBy, maxAttempts, type Claim } from './componentRuns.ts';
import { transaction, type Database } from '../db/database.ts';
import { prepared } from '../db/preparedStatements.ts';
import { noJob, earlierDue } from './jobRuns.ts';
import { listDueRuns, listRequiredComponents, updateStatus } from './itemStatus.ts';
import { lockLivePhotos } from '../items/livePhotos.ts';
import { findAffectedPairs, pairItem } from './pairedOutcomes.ts';
import type { MediaItemChanges } from '../db/schema.ts';

/**
 * Other rows to write with an outcome, in its transaction, while the item's row is locked and before the item's own
 * changes.
 */
export interface OutcomeWrites {
  /** Takes the lock for these rows before any row is locked. */
  readonly lock?: (trx: Database) => Promise<void>;
  readonly write: (trx: Database) => Promise<void>;
}

/** The outcome of a run. `reason` is a code in `contract/reasons.ts`. */
export type Outcome =
  | {
      readonly state: 'DONE';
      readonly changes?: MediaItemChanges;
      readonly writes?: OutcomeWrites;
      /** Following components that the item needs according to this run. */
      readonly requestedRuns?: readonly ComponentName[];
      readonly warnings: readonly string[];
    }
  | { readonly state: 'SKIPPED'; readonly reason: string; readonly writes?: OutcomeWrites }
  | { readonly state: 'BLOCKED'; readonly reason: string; readonly blockedOn: string }
  /** Final; no retry. */
  | { readonly state: 'FAILED'; readonly reason: string; readonly changes?: MediaItemChanges }
  /** Retried with backoff until the attempts are used up. */
  | { readonly state: 'RETRY'; readonly reason: string }
  /**
   * Retried after `afterMs` or a few seconds, without counting the attempt: the cause is not the file but, for example,
   * an unavailable store.
   */
  | { readonly state: 'POSTPONED'; readonly reason: string; readonly afterMs?: number };

/** Delays before the second to the fifth attempt, in ms: about two minutes in total. */
const backoffMs = [2_000, 10_000, 30_000, 90_000] as const;

/** Default delay of a postponed run, in ms. */
const postponeMs = 5_000;

/**
 * Writes the outcome of a run, its changes of the item, its other rows and the item's status in one transaction.
 * @returns the due runs of the item, in all pools; undefined if another process has claimed the run or the item is
 * gone, and nothing was written
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
    const contentIdentifiers = findAffectedPairs(claim, changes);
    if (contentIdentifiers !== undefined)
      await lockLivePhotos(trx, claim.userId, { ids: [claim.mediaItemId], contentIdentifiers });
    const { numUpdatedRows } = await prepared(trx, 'record_outcome')
      // Locks the item before the run: when two pools finish an item's last runs at the same time, one sees the other's
      // outcome.
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
      .where(isClaimedBy(claim))
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) return undefined;
    await writes?.write(trx);
    if ('requestedRuns' in outcome) await requestRuns(trx, claim, outcome.requestedRuns ?? []);
    // The item's row is written only if it may change, because each write also costs counts and events.
    const mayAffectItem = changes !== undefined || listRequiredComponents(pipeline).includes(claim.component);
    const due = await (mayAffectItem
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
        next_attempt_at: fromNow(outcome.afterMs ?? postponeMs),
      };
    case 'RETRY': {
      if (claim.attempts >= maxAttempts) {
        return { state: 'FAILED' as const, reason: outcome.reason, ...finished };
      }
      const delayMs = backoffMs[claim.attempts - 1] ?? 90_000;
      return {
        state: 'PENDING' as const,
        reason: pendingReason(claim, outcome.reason),
        next_attempt_at: fromNow(delayMs),
      };
    }
  }
};

/** Keeps TIMED_OUT as the reason after any timeout. The next claim reads it. */
const pendingReason = ({ hasTimedOut }: Claim, reason: string): string => (hasTimedOut ? 'TIMED_OUT' : reason);

const finished = { finished_at: sql<Date>`now()`, ...noJob };

const fromNow = (ms: number) => sql<Date>`clock_timestamp() + ${ms} * interval '1 millisecond'`;

/** Makes runs of the requested components due. Skips runs that are done in the current version, due or active. */
export const requestRuns = async (
  trx: Database,
  { mediaItemId, userId, type }: Pick<Claim, 'mediaItemId' | 'userId' | 'type'>,
  wanted: readonly ComponentName[],
): Promise<void> => {
  if (wanted.length === 0) return;
  const versions = wanted.map((component) => getComponentVersion(component));
  await sql`
    insert into component_runs as run (media_item_id, user_id, component, type, version)
    select ${mediaItemId}, ${userId}, wanted.component, ${type}, wanted.version
    from unnest(${wanted}::text[], ${versions}::int[]) as wanted (component, version)
    on conflict (media_item_id, component) do update set
      state = 'PENDING', attempts = 0, reason = null, next_attempt_at = now()
    where run.state in ('FAILED', 'SKIPPED') or run.state = 'DONE' and run.version < excluded.version`.execute(trx);
  // Runs that are already due for a job: if the item needs them, too, they stay due when the job is paused.
  await sql`
    update component_runs as run set earlier = ${earlierDue}
    where media_item_id = ${mediaItemId} and component = any(${wanted}::text[]) and job_id is not null
      and (earlier ->> 'state' in ('FAILED', 'SKIPPED') or (earlier ->> 'version')::int <
        (${versions}::int[])[array_position(${wanted}::text[], component)])`.execute(trx);
};
