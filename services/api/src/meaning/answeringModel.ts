import { sql, type RawBuilder } from 'kysely';
import { searchModelNames, type SearchModelName } from '@hearth/core/config/searchModels.ts';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import { deletedAtOnce } from '../database/deleteSome.ts';
import { firstId, lastId } from '@hearth/core/db/ids.ts';
import { prepared } from '@hearth/core/db/preparedStatements.ts';
import type { OpenedRun } from '@hearth/core/runs/jobRuns.ts';

/*
 * [Note: Change of model] A library is searched by the embeddings of one model, which `answering_models` names: queries are embedded by it too. After
 * the setting has changed, SEARCH is done again for every item that has no embedding of the wanted model yet. Those of the earlier model stay
 * and answer, until nothing of that owner waits for a new one: then the wanted model answers, and those of the others go.
 */

/** The model whose embeddings answer the searches of a user; undefined where nothing has been embedded yet, or by a model that this version does not know. */
export const findAnsweringModel = async (db: Database, userId: string): Promise<SearchModelName | undefined> => {
  const { rows } = await sql<{ model: string }>`
    select model from answering_models where user_id = ${userId}`.execute(prepared(db, 'answering_model'));
  return searchModelNames.find((name) => name === rows[0]?.model);
};

/** Whose libraries are searched by another model than the wanted one, or have something left of another one. */
export const listModelChanges = async (db: Database, wanted: SearchModelName): Promise<readonly string[]> => {
  // The models of an owner are found by one look into the index for each, not by reading all of its embeddings.
  const { rows } = await sql<{ userId: string }>`
    select user_id as "userId" from answering_models as answering
    where answering.model <> ${wanted} or answering.wanted_model is not null
      or exists (select from media_item_embeddings as kept where kept.user_id = answering.user_id and kept.model < ${wanted})
      or exists (select from media_item_embeddings as kept where kept.user_id = answering.user_id and kept.model > ${wanted})
    order by user_id`.execute(db);
  return rows.map(({ userId }) => userId);
};

/** What a step towards another model has come to. */
export interface ModelStep {
  /** Runs of SEARCH that were made due. */
  readonly runs: readonly OpenedRun[];
  /** Whether the wanted model answers from now on. */
  readonly isSwitched: boolean;
}

/**
 * Takes a step of an owner's library towards the wanted model: makes SEARCH due again for at most `limit` items that lack an embedding of it, in the order
 * of ids; or, once all have been looked at and nothing is under way, lets it answer if nothing waits for it. What cannot be embedded anew is not waited
 * for. Where something was done by a worker that has another setting yet, all are looked at once more.
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
      const { runs, lookedTo } = await redoLacking(trx, userId, wanted, change.lookedTo ?? firstId, limit);
      await setChange(trx, userId, sql`looked_to = ${lookedTo}`);
      return { runs, isSwitched: false };
    }
    const lacking = await findLacking(trx, userId, wanted);
    if (lacking === 'DONE') await setChange(trx, userId, sql`looked_to = null`);
    if (lacking !== undefined) return { runs: [], isSwitched: false };
    await setChange(trx, userId, sql`model = ${wanted}, wanted_model = null, looked_to = null`);
    return { runs: [], isSwitched: true };
  });

const setChange = async (trx: Database, userId: string, change: RawBuilder<unknown>): Promise<void> => {
  await sql`update answering_models set ${change} where user_id = ${userId}`.execute(trx);
};

/** An owner's embeddings of other models than the wanted one whose items have none of it, with the runs of SEARCH of these items. */
const lackingRuns = (userId: string, wanted: SearchModelName) => sql`
  media_item_embeddings as kept
    join component_runs as run on run.media_item_id = kept.media_item_id and run.component = 'SEARCH'
  where kept.user_id = ${userId} and kept.model <> ${wanted} and not exists (
    select from media_item_embeddings as fresh where fresh.media_item_id = kept.media_item_id and fresh.model = ${wanted})`;

const redoLacking = async (
  trx: Database,
  userId: string,
  wanted: SearchModelName,
  after: string,
  limit: number,
): Promise<{ readonly runs: readonly OpenedRun[]; readonly lookedTo: string }> => {
  const { rows: lacking } = await sql<{ id: string }>`
    select distinct kept.media_item_id as id from ${lackingRuns(userId, wanted)}
      and run.state = 'DONE' and kept.media_item_id > ${after}
    order by id limit ${limit}`.execute(trx);
  const { rows: runs } = await sql<OpenedRun>`
    update component_runs set state = 'PENDING', attempts = 0, reason = null, next_attempt_at = now()
    where component = 'SEARCH' and media_item_id = any(${lacking.map(({ id }) => id)}::uuid[]) and state = 'DONE'
    returning media_item_id as "mediaItemId", component, type`.execute(trx);
  return { runs, lookedTo: lacking.length < limit ? lastId : lacking.at(-1)!.id };
};

/** The state of a run of SEARCH that is to come, or has not brought what is wanted; undefined where there is none. */
const findLacking = async (trx: Database, userId: string, wanted: SearchModelName): Promise<string | undefined> => {
  // Looked up in the index of what is unsettled first: the other question may read a whole library.
  const { rows: underWay } = await sql<{ state: string }>`
    select state from component_runs
    where user_id = ${userId} and state in ('PENDING', 'RUNNING') and component = 'SEARCH' limit 1`.execute(trx);
  if (underWay[0] !== undefined) return underWay[0].state;
  const { rows } = await sql<{ state: string }>`
    select run.state from ${lackingRuns(userId, wanted)} and run.state not in ('FAILED', 'SKIPPED') limit 1`.execute(
    trx,
  );
  return rows[0]?.state;
};

/** Deletes some embeddings of an owner that are of other models than the one that answers, and answers how many. */
export const deleteEarlierEmbeddings = async (trx: Database, userId: string): Promise<number> => {
  const { numAffectedRows = 0n } = await sql`
    delete from media_item_embeddings where (media_item_id, model) in (
      select media_item_id, kept.model from media_item_embeddings as kept
        join answering_models as answering on answering.user_id = kept.user_id and answering.model <> kept.model
      where kept.user_id = ${userId} and answering.wanted_model is null
      order by media_item_id limit ${deletedAtOnce})`.execute(trx);
  return Number(numAffectedRows);
};
