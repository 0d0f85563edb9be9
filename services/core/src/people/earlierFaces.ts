import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../db/database.ts';
import type { FaceRow } from '../db/schema.ts';
import { decodeEmbedding, embeddingVersion } from './faceEmbedding.ts';
import { matchFaces, type PlacedFace } from './matchFaces.ts';

/*
 * [Note: Faces that are missed] A new version, or another run, may miss a face that was found before, and the next one
 * may find it again. What the user has set must survive that: names, hidden people, merges, faces removed from a
 * person, and covers. So such a face stays as `missed`, with its person, box and embedding. It is on no photo and in no
 * list, count or cover, and its picture is deleted. But it still identifies its person, and it is the same face when it
 * is found again. A missed face without user input is deleted, and becomes a new person if it is found again. Switching
 * people off, or deleting the item, deletes missed faces.
 */

/** The earlier faces of an item, compared with those found now. */
export interface EarlierFaces {
  /** The earlier face for each face found now; undefined for a new one. */
  readonly matches: readonly (FaceRow | undefined)[];
  /** The people of all earlier faces. */
  readonly people: readonly string[];
}

/** Matches an item's earlier faces with those found now. Deletes the others, or keeps them as missed. */
export const matchEarlierFaces = async (
  trx: Database,
  mediaItemId: string,
  found: readonly PlacedFace[],
): Promise<EarlierFaces> => {
  const { rows: earlier } = await sql<FaceRow & { readonly embedding: Buffer | null }>`
    select faces.*, embedding from faces
    left join face_embeddings on face_id = id and version = ${embeddingVersion}
    where media_item_id = ${mediaItemId} order by id`.execute(trx);
  const placed = earlier.map((face) => ({
    box: { left: face.box_left, top: face.box_top, width: face.box_width, height: face.box_height },
    embedding: face.embedding === null ? undefined : decodeEmbedding(face.embedding),
  }));
  const matches = matchFaces(placed, found).map((index) => (index === undefined ? undefined : earlier[index]));
  const matched = new Set(matches);
  const missed = earlier.filter((face) => !matched.has(face)).map(({ id }) => id);
  if (missed.length > 0) {
    const ids = sql`${missed}::uuid[]`;
    await sql`delete from faces where id = any(${ids}) and not ${hasUserInput}`.execute(trx);
    await sql`update faces set visibility = 'missed' where id = any(${ids})`.execute(trx);
  }
  return { matches, people: earlier.map(({ person_id }) => person_id).filter((id) => id !== null) };
};

/** Condition that the user has edited a face or its person: names, hidden people, covers, merges or removals. */
const hasUserInput: RawBuilder<boolean> = sql`(
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
