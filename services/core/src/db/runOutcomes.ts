import { sql } from 'kysely';
import { components, versionOf, type BuiltComponent } from '../pipeline.ts';
import { maxAttempts, type Claim } from './componentRuns.ts';
import { transaction, type Database } from './database.ts';
import { redoPlaceWhereMoved, writeItemPlace, type ItemPlace } from './itemPlaces.ts';
import { lockLivePhotos, pairLivePhotos, partLivePhoto } from './livePhotos.ts';
import type { MediaItemChanges } from './schema.ts';

/** What a run came to. `reason` is a code of `contract/reasons.ts`. A `place`, or that there is none, takes the place of an earlier one. */
export type Outcome =
  | {
      readonly state: 'DONE';
      readonly changes?: MediaItemChanges;
      readonly place?: ItemPlace | null;
      /** Components that follow another one and that the item needs, as this run has found out. */
      readonly wants?: readonly BuiltComponent[];
      readonly warnings: readonly string[];
    }
  | { readonly state: 'SKIPPED'; readonly reason: string; readonly place?: null }
  | { readonly state: 'BLOCKED'; readonly reason: string; readonly blockedOn: string }
  /** Not to be tried again. */
  | { readonly state: 'FAILED'; readonly reason: string; readonly changes?: MediaItemChanges }
  /** Tried again after a while, until the attempts are used up. */
  | { readonly state: 'RETRY'; readonly reason: string }
  /** Not the file's fault, such as a store that is away: tried again, and the attempt does not count. */
  | { readonly state: 'POSTPONED'; readonly reason: string };

/** Milliseconds until the second, third … attempt of a run that failed: about two minutes in all. */
const backoffMs = [2_000, 10_000, 30_000, 90_000] as const;

/** Milliseconds until a run is tried again that failed through no fault of its file. */
const postponeMs = 5_000;

/** An outcome was written. */
export interface Recorded {
  /** What is due of the item now, in whatever pool, and nobody works on. */
  readonly due: readonly BuiltComponent[];
}

/**
 * Writes what a run came to, its changes of the item, its place and the item's status, in one transaction.
 * @returns undefined when the claim has passed to another process or the item is gone: then nothing was written
 */
export const recordOutcome = async (db: Database, claim: Claim, outcome: Outcome): Promise<Recorded | undefined> =>
  transaction(db, async (trx) => {
    const changes = 'changes' in outcome ? outcome.changes : undefined;
    const contentIdentifiers = findPairs(claim, changes);
    if (contentIdentifiers !== undefined)
      await lockLivePhotos(trx, claim.userId, { ids: [claim.mediaItemId], contentIdentifiers });
    const { numUpdatedRows } = await trx
      // Locked before the run, so that of two pools that finish an item's last runs together one sees the other's outcome.
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
      .where('component_runs.component', '=', claim.component)
      .where('component_runs.claim_id', '=', claim.claimId)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) return undefined;
    if ('place' in outcome && outcome.place !== undefined) await writeItemPlace(trx, claim.mediaItemId, outcome.place);
    if (changes !== undefined && 'latitude' in changes) await redoPlaceWhereMoved(trx, claim.mediaItemId, changes);
    if ('wants' in outcome) await askForRuns(trx, claim.mediaItemId, outcome.wants ?? []);
    // The item's row is written only where that may change it: each time costs its counts and events too.
    const isItemConcerned = changes !== undefined || requiredComponents.includes(claim.component);
    const due = await (isItemConcerned ? updateStatus : listDueRuns)(trx, claim.mediaItemId, changes);
    if (contentIdentifiers !== undefined) await pairItem(trx, claim, contentIdentifiers);
    return { due };
  });

/**
 * The content identifiers by which these changes may make, part or change a Live Photo: that which the item had and the one that it gets; of
 * a video also when its preview changes, which its photo plays, whether or not it is known yet that there is one. Undefined for all others.
 */
const findPairs = ({ type, contentIdentifier }: Claim, changes: MediaItemChanges = {}): string[] | undefined => {
  const found = [contentIdentifier, changes.content_identifier ?? null].filter((each) => each !== null);
  if (type === 'VIDEO') return 'preview_key' in changes || 'content_identifier' in changes ? found : undefined;
  return 'content_identifier' in changes && found.length > 0 ? found : undefined;
};

const pairItem = async (trx: Database, { mediaItemId, userId }: Claim, known: readonly string[]): Promise<void> => {
  const row = await trx
    .selectFrom('media_items')
    .select('content_identifier')
    .where('id', '=', mediaItemId)
    .executeTakeFirst();
  const present = row?.content_identifier ?? null;
  if (present === null && known.length > 0) await partLivePhoto(trx, userId, mediaItemId);
  await pairLivePhotos(trx, userId, [...known, present]);
};

/**
 * An item is READY when every required run is done and FAILED when one has failed. Once READY it stays so: a result made
 * anew that fails leaves the earlier one in place.
 * @returns what is due of the item now
 */
export const updateStatus = async (
  trx: Database,
  mediaItemId: string,
  changes: MediaItemChanges = {},
): Promise<readonly BuiltComponent[]> => {
  const [row] = await trx
    .updateTable('media_items')
    .set({
      ...changes,
      status: sql`(
        select case
          when bool_and(state in ('DONE', 'SKIPPED')) or media_items.status = 'READY' then 'READY'
          when bool_or(state = 'FAILED') then 'FAILED'
          else 'PROCESSING'
        end
        from component_runs where media_item_id = ${mediaItemId} and component = any(${requiredComponents}::text[]))`,
      updated_at: sql`now()`,
    })
    .where('id', '=', mediaItemId)
    // Answered by the way, which saves whoever works on the item a question.
    .returning(dueRuns(mediaItemId).as('due'))
    .execute();
  return row?.due ?? [];
};

/** Makes runs due that an item needs; one that is done by the present version, or is on its way, stays as it is. */
const askForRuns = async (trx: Database, mediaItemId: string, wanted: readonly BuiltComponent[]): Promise<void> => {
  const runs = wanted.map((component) => ({ media_item_id: mediaItemId, component, version: versionOf(component) }));
  if (runs.length === 0) return;
  await trx
    .insertInto('component_runs')
    .values(runs)
    .onConflict((on) =>
      on
        .columns(['media_item_id', 'component'])
        .doUpdateSet({ state: 'PENDING', attempts: 0, reason: null, next_attempt_at: sql`now()` })
        .where((eb) =>
          eb.or([
            eb('component_runs.state', 'in', ['FAILED', 'SKIPPED']),
            eb.and([
              eb('component_runs.state', '=', 'DONE'),
              eb('component_runs.version', '<', eb.ref('excluded.version')),
            ]),
          ]),
        ),
    )
    .execute();
};

const listDueRuns = async (trx: Database, mediaItemId: string): Promise<readonly BuiltComponent[]> =>
  (await trx.selectNoFrom(dueRuns(mediaItemId).as('due')).executeTakeFirstOrThrow()).due;

const dueRuns = (mediaItemId: string) => sql<BuiltComponent[]>`array(
  select component from component_runs where media_item_id = ${mediaItemId}
    and (state = 'PENDING' and next_attempt_at <= clock_timestamp()
      or state = 'RUNNING' and lease_until < clock_timestamp()))`;

const requiredComponents: readonly BuiltComponent[] = components
  .filter(({ required }) => required)
  .map(({ name }) => name);

const runColumns = (claim: Claim, outcome: Outcome) => {
  switch (outcome.state) {
    case 'DONE':
      return { state: outcome.state, reason: null, warnings: [...outcome.warnings], finished_at: sql<Date>`now()` };
    case 'SKIPPED':
    case 'FAILED':
      return { state: outcome.state, reason: outcome.reason, finished_at: sql<Date>`now()` };
    case 'BLOCKED':
      return { state: outcome.state, reason: outcome.reason, blocked_on: outcome.blockedOn };
    case 'POSTPONED':
      return {
        state: 'PENDING' as const,
        reason: outcome.reason,
        attempts: claim.attempts - 1,
        next_attempt_at: inMs(postponeMs),
      };
    case 'RETRY': {
      if (claim.attempts >= maxAttempts) {
        return { state: 'FAILED' as const, reason: outcome.reason, finished_at: sql<Date>`now()` };
      }
      const delayMs = backoffMs[claim.attempts - 1] ?? 90_000;
      return { state: 'PENDING' as const, reason: outcome.reason, next_attempt_at: inMs(delayMs) };
    }
  }
};

const inMs = (ms: number) => sql<Date>`clock_timestamp() + ${ms} * interval '1 millisecond'`;
