import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import { choosePeopleToMerge, manyFaces, type MergeCandidate } from '@hearth/core/people/similarFaces.ts';
import { embeddingVersion } from '@hearth/core/people/faceEmbedding.ts';
import { mergeInto } from '@hearth/core/people/mergeInto.ts';
import { moveMerges } from '@hearth/core/people/recordMerge.ts';
import { rejections } from '@hearth/core/people/rejections.ts';

/** Result of a merge. */
export interface Joined {
  readonly stays: string;
  /** Ids of all merged people, including `stays`. Only `stays` if nothing was merged. */
  readonly joined: ReadonlySet<string>;
}

/**
 * Merges people who have similar faces, within the limits of [Note: Faces that are alike]. A named or hidden person stays, otherwise the oldest:
 * its name and URL remain valid. Call only while holding `lockPeople`.
 */
export const joinAlike = async (trx: Database, userId: string, ids: readonly string[]): Promise<Joined> => {
  const [only, ...others] = ids;
  if (others.length === 0) return { stays: only!, joined: new Set(ids) };
  const people = await listJoinable(trx, ids);
  const apart = await listApart(trx, ids);
  const joined = choosePeopleToMerge(
    people,
    (one, other) => apart.has(`${one} ${other}`) || apart.has(`${other} ${one}`),
  );
  const stays = people[0]!.id;
  const gone = joined.map(({ id }) => id);
  if (gone.length > 0) {
    await passCoverOn(trx, stays, gone);
    await mergeInto(trx, userId, stays, gone);
    await moveMerges(trx, stays, gone);
  }
  return { stays, joined: new Set([stays, ...gone]) };
};

/** Gives `stays` the chosen cover of the oldest of the merged people, unless it has one. */
const passCoverOn = async (trx: Database, stays: string, gone: readonly string[]): Promise<void> => {
  await sql`
    update collections set cover_id = (
      select cover_id from collections as other join people on people.id = other.id
      where other.id = any(${gone}::uuid[]) and cover_id is not null order by people.created_at, people.id limit 1)
    where id = ${stays} and cover_id is null`.execute(trx);
};

const listJoinable = async (trx: Database, ids: readonly string[]): Promise<MergeCandidate[]> => {
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

/** Pairs of people with a face of one that the user has rejected for the other. */
const listApart = async (trx: Database, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  const { rows } = await sql<{ pair: string }>`
    select distinct faces.person_id || ' ' || said.person_id as pair
    from ${rejections} as said join faces on faces.id = face_id
    where faces.person_id = any(${ids}::uuid[]) and said.person_id = any(${ids}::uuid[])`.execute(trx);
  return new Set(rows.map(({ pair }) => pair));
};
