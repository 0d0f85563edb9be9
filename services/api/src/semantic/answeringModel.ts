import { sql, type RawBuilder } from 'kysely';
import { searchModelNames, type SearchModelName } from '@hearth/core/config/searchModels.ts';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import { deleteBatchSize } from '../database/deleteBatch.ts';
import { firstId, lastId } from '@hearth/core/db/ids.ts';
import { prepared } from '@hearth/core/db/preparedStatements.ts';
import type { OpenedRun } from '@hearth/core/runs/jobRuns.ts';

/*
 * [Note: Change of model] A library is searched with the embeddings of a single model, recorded in `answering_models`.
 *
 * Queries are embedded by that model too. After the setting changes, SEARCH runs again for every item without an
 * embedding of the new model. Searches use the old embeddings until no item of the owner waits for a new one. Then they
 * switch to the new model, and embeddings of other models are deleted.
 */

/**
 * Returns the model that a user's searches use. Undefined if nothing is embedded yet, or if this version does not know
 * the model.
 */
export const findAnsweringModel = async (db: Database, userId: string): Promise<SearchModelName | undefined> => {
  const { rows } = await sql<{ model: string }>`
    select model from answering_models where user_id = ${userId}`.execute(prepared(db, 'answering_model'));
  return searchModelNames.find((name) => name === rows[0]?.model);
};

/** Lists users whose libraries use another model, or still have embeddings of one. */
export const listModelChanges = async (db: Database, wanted: SearchModelName): Promise<readonly string[]> => {
  // Two index lookups per owner instead of reading all embeddings.
  const { rows } = await sql<{ userId: string }>`
    select user_id as "userId" from answering_models as answering
    where answering.model <> ${wanted} or answering.wanted_model is not null
      or exists (select from media_item_embeddings as kept where kept.user_id = answering.user_id and kept.model < ${wanted})
      or exists (select from media_item_embeddings as kept where kept.user_id = answering.user_id and kept.model > ${wanted})
    order by user_id`.execute(db);
  return rows.map(({ userId }) => userId);
};

/** Result of one step towards the new model. */
export interface ModelStep {
  /** Runs of SEARCH made due. */
  readonly runs: readonly OpenedRun[];
  /** True if searches use the new model from now on. */
  readonly isSwitched: boolean;
}

/**
 * Advances a library towards the model `wanted`. Makes SEARCH due for up to `limit` items without an embedding of it,
 * by id. After the last item, switches to the model once no run is pending or running, without waiting for items that
 * cannot be embedded. Starts over if a worker with the old setting has processed items meanwhile.
 */
export const stepModelChange = (
  db: Database,
  userId: string,
  wanted: SearchModelName,
  limit: number,
): Promise<ModelStep> =>
  transaction(db, async (trx) => {
    const { rows } = await sql<{ lookedTo: string | null }>`
      update answering_models set wanted_model = ${wanted}, looked_to = case when wanted_model = ${wanted} then looked_to end
      where user_id = ${userId} and model <> ${wanted} returning looked_to as "lookedTo"`.execute(trx);
    const [change] = rows;
    if (change === undefined) return { runs: [], isSwitched: false };
    if (change.lookedTo !== lastId) {
      const { runs, lookedTo } = await restartMissing(trx, userId, wanted, change.lookedTo ?? firstId, limit);
      await setChange(trx, userId, sql`looked_to = ${lookedTo}`);
      return { runs, isSwitched: false };
    }
    const missing = await findMissing(trx, userId, wanted);
    if (missing === 'DONE') await setChange(trx, userId, sql`looked_to = null`);
    if (missing !== undefined) return { runs: [], isSwitched: false };
    await setChange(trx, userId, sql`model = ${wanted}, wanted_model = null, looked_to = null`);
    return { runs: [], isSwitched: true };
  });

const setChange = async (trx: Database, userId: string, change: RawBuilder<unknown>): Promise<void> => {
  await sql`update answering_models set ${change} where user_id = ${userId}`.execute(trx);
};

/** Embeddings of other models whose items lack one of `wanted`, with the SEARCH runs of these items. */
const missingRuns = (userId: string, wanted: SearchModelName) => sql`
  media_item_embeddings as kept
    join component_runs as run on run.media_item_id = kept.media_item_id and run.component = 'SEARCH'
  where kept.user_id = ${userId} and kept.model <> ${wanted} and not exists (
    select from media_item_embeddings as fresh where fresh.media_item_id = kept.media_item_id and fresh.model = ${wanted})`;

const restartMissing = async (
  trx: Database,
  userId: string,
  wanted: SearchModelName,
  after: string,
  limit: number,
): Promise<{ readonly runs: readonly OpenedRun[]; readonly lookedTo: string }> => {
  const { rows: missing } = await sql<{ id: string }>`
    select distinct kept.media_item_id as id from ${missingRuns(userId, wanted)}
      and run.state = 'DONE' and kept.media_item_id > ${after}
    order by id limit ${limit}`.execute(trx);
  const { rows: runs } = await sql<OpenedRun>`
    update component_runs set state = 'PENDING', attempts = 0, reason = null, next_attempt_at = now()
    where component = 'SEARCH' and media_item_id = any(${missing.map(({ id }) => id)}::uuid[]) and state = 'DONE'
    returning media_item_id as "mediaItemId", component, type`.execute(trx);
  return { runs, lookedTo: missing.length < limit ? lastId : missing.at(-1)!.id };
};

/**
 * Returns the state of a pending SEARCH run, or of one that did not produce the wanted embedding. Undefined if there is
 * none.
 */
const findMissing = async (trx: Database, userId: string, wanted: SearchModelName): Promise<string | undefined> => {
  // First a quick lookup in the index of unsettled runs: the second query may read a whole library.
  const { rows: unfinished } = await sql<{ state: string }>`
    select state from component_runs
    where user_id = ${userId} and state in ('PENDING', 'RUNNING') and component = 'SEARCH' limit 1`.execute(trx);
  if (unfinished[0] !== undefined) return unfinished[0].state;
  const { rows } = await sql<{ state: string }>`
    select run.state from ${missingRuns(userId, wanted)} and run.state not in ('FAILED', 'SKIPPED') limit 1`.execute(
    trx,
  );
  return rows[0]?.state;
};

/** Deletes a batch of an owner's embeddings of unused models and returns their number. */
export const deleteEarlierEmbeddings = async (trx: Database, userId: string): Promise<number> => {
  const { numAffectedRows = 0n } = await sql`
    delete from media_item_embeddings where (media_item_id, model) in (
      select media_item_id, kept.model from media_item_embeddings as kept
        join answering_models as answering on answering.user_id = kept.user_id and answering.model <> kept.model
      where kept.user_id = ${userId} and answering.wanted_model is null
      order by media_item_id limit ${deleteBatchSize})`.execute(trx);
  return Number(numAffectedRows);
};
