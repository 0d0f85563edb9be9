import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../db/database.ts';
import type { FaceRow } from '../db/schema.ts';
import { decodeEmbedding, embeddingVersion } from './faceEmbedding.ts';
import { matchFaces, type PlacedFace } from './matchFaces.ts';

/*
 * [Note: Faces that are missed] A later version, or another try, may not find a face that was found before, and the next one finds it again. What a user
 * has said by means of it must hold then: that the person has a name or is hidden, that people are one, that a face is not somebody's, which photo
 * stands for whom. So such a face is kept as `missed`, with its person, box and embedding: it is on no photo, in no list, count or cover, and its
 * picture is removed, but its person is known by it, and it is the same face when it is found again. Of whom nothing was said is forgotten, and is
 * somebody new then. Where people are switched off all of it goes, and with the item.
 */

/** What was found on an item before, set against what is found now. */
export interface EarlierFaces {
  /** For each face that is found now the same one as it was before; undefined where it is new. */
  readonly matches: readonly (FaceRow | undefined)[];
  /** The people whom all those had that were there before. */
  readonly people: readonly string[];
}

/** Finds out which of the faces that an item had are found again, and forgets the others, or keeps them as missed. */
export const settleEarlierFaces = async (
  trx: Database,
  mediaItemId: string,
  found: readonly PlacedFace[],
): Promise<EarlierFaces> => {
  const { rows: there } = await sql<FaceRow & { readonly embedding: Buffer | null }>`
    select faces.*, embedding from faces
    left join face_embeddings on face_id = id and version = ${embeddingVersion}
    where media_item_id = ${mediaItemId} order by id`.execute(trx);
  const placed = there.map((face) => ({
    box: { left: face.box_left, top: face.box_top, width: face.box_width, height: face.box_height },
    embedding: face.embedding === null ? undefined : decodeEmbedding(face.embedding),
  }));
  const matches = matchFaces(placed, found).map((index) => (index === undefined ? undefined : there[index]));
  const again = new Set(matches);
  const missed = there.filter((face) => !again.has(face)).map(({ id }) => id);
  if (missed.length > 0) {
    const ids = sql`${missed}::uuid[]`;
    await sql`delete from faces where id = any(${ids}) and not ${isTold}`.execute(trx);
    await sql`update faces set visibility = 'missed' where id = any(${ids})`.execute(trx);
  }
  return { matches, people: there.map(({ person_id }) => person_id).filter((id) => id !== null) };
};

/** Whether a user has said something of a face or of its person. */
const isTold: RawBuilder<boolean> = sql`(
  exists (select from face_rejections where face_id = faces.id)
  or exists (select from merged_faces where face_id = faces.id)
  or exists (select from merged_rejections where face_id = faces.id)
  or exists (
    select from people join collections on collections.id = people.id
    where people.id = faces.person_id and (
      name is not null or is_hidden
      or exists (select from media_items where media_items.id = cover_id and removing_at is null)
      or exists (select from merged_people where person_id = people.id)
      or exists (select from face_rejections where person_id = people.id))))`;
