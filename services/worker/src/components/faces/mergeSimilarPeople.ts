import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import { choosePeopleToMerge, manyFaces, type MergeCandidate } from '@hearth/core/people/similarFaces.ts';
import { embeddingVersion } from '@hearth/core/people/faceEmbedding.ts';
import { mergeInto } from '@hearth/core/people/mergeInto.ts';
import { moveMerges } from '@hearth/core/people/recordMerge.ts';
import { rejections } from '@hearth/core/people/rejections.ts';

/** Result of a merge. */
export interface MergeResult {
  readonly keptId: string;
  /** Ids of all merged people, including `keptId`. Only `keptId` if nothing was merged. */
  readonly ids: ReadonlySet<string>;
}

/**
 * Merges people who have similar faces, within the limits of [Note: Faces that are alike]. Keeps a named or hidden person, otherwise the oldest, so
 * that its name and URL remain valid. Call only while holding `lockPeople`.
 */
export const mergeSimilarPeople = async (
  trx: Database,
  userId: string,
  ids: readonly string[],
): Promise<MergeResult> => {
  const [only, ...others] = ids;
  if (others.length === 0) return { keptId: only!, ids: new Set(ids) };
  const people = await listMergeCandidates(trx, ids);
  const separated = await listSeparatedPairs(trx, ids);
  const merged = choosePeopleToMerge(
    people,
    (one, other) => separated.has(`${one} ${other}`) || separated.has(`${other} ${one}`),
  );
  const keptId = people[0]!.id;
  const removedIds = merged.map(({ id }) => id);
  if (removedIds.length > 0) {
    await transferCover(trx, keptId, removedIds);
    await mergeInto(trx, userId, keptId, removedIds);
    await moveMerges(trx, keptId, removedIds);
  }
  return { keptId, ids: new Set([keptId, ...removedIds]) };
};

/** Copies a chosen cover to the kept person, unless that has one: the cover of the oldest removed person with a cover. */
const transferCover = async (trx: Database, keptId: string, removedIds: readonly string[]): Promise<void> => {
  await sql`
    update collections set cover_id = (
      select cover_id from collections as other join people on people.id = other.id
      where other.id = any(${removedIds}::uuid[]) and cover_id is not null order by people.created_at, people.id limit 1)
    where id = ${keptId} and cover_id is null`.execute(trx);
};

const listMergeCandidates = async (trx: Database, ids: readonly string[]): Promise<MergeCandidate[]> => {
  const { rows } = await sql<MergeCandidate>`
    select people.id, name is not null or is_hidden as "hasUserInput", (
      select count(*)::integer from (
        select from faces join face_embeddings on face_id = faces.id
        where person_id = people.id and is_founding and version = ${embeddingVersion} limit ${manyFaces}) as founding
    ) as faces
    from people where people.id = any(${ids}::uuid[])
    order by name is null and not is_hidden, created_at, people.id`.execute(trx);
  return rows;
};

/** Returns pairs of ids, separated by a space, where the user rejected a face of the first person for the second. */
const listSeparatedPairs = async (trx: Database, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  const { rows } = await sql<{ pair: string }>`
    select distinct faces.person_id || ' ' || rejection.person_id as pair
    from ${rejections} as rejection join faces on faces.id = face_id
    where faces.person_id = any(${ids}::uuid[]) and rejection.person_id = any(${ids}::uuid[])`.execute(trx);
  return new Set(rows.map(({ pair }) => pair));
};
