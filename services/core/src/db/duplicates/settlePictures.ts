import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../connection/database.ts';
import { findCentreNear, listLaterNear } from './nearPictures.ts';

/** Photos that one outcome settles at most, some seconds: more than that only where the first of a large group comes last. */
const maxSettled = 1_000;

interface Settled {
  readonly id: string;
  readonly hash: bigint;
  readonly groupId: string;
  readonly isCentre: boolean;
}

/**
 * Puts a photo that has got its hash, and is a group of its own, into its group, and all others whose group changes by that, see [Note: Duplicates]. In the
 * order of ids, since the place of a photo depends on those before it alone. To be called behind the lock of the user's duplicates.
 */
export const settlePicture = async (trx: Database, userId: string, mediaItemId: string): Promise<void> => {
  const due = new Set([mediaItemId]);
  const left = new Set<string>();
  for (let settled = 0; due.size > 0 && settled < maxSettled; settled += 1) {
    const id = firstOf(due);
    due.delete(id);
    const picture = await findPicture(trx, id);
    if (picture === undefined) continue;
    const centre = await findCentreNear(trx, userId, picture);
    if (centre === undefined) {
      if (!picture.isCentre) await place(trx, id, sql`free_duplicate_group(${id})`, true);
      for (const later of await listLaterNear(trx, userId, picture)) due.add(later.id);
    } else if (picture.isCentre || picture.groupId !== centre.groupId) {
      await place(trx, id, sql`${centre.groupId}::uuid`, false);
      if (!picture.isCentre) continue;
      left.add(picture.groupId);
      for (const member of await listMembers(trx, picture.groupId, maxSettled)) due.add(member);
    }
  }
  await giveCentres(trx, [...left]);
};

const firstOf = (ids: ReadonlySet<string>): string => [...ids].reduce((first, id) => (id < first ? id : first));

const findPicture = async (trx: Database, id: string): Promise<Settled | undefined> => {
  const { rows } = await sql<Omit<Settled, 'hash'> & { hash: string }>`
    select media_item_id as id, hash::text, group_id as "groupId", is_centre as "isCentre"
    from picture_hashes where media_item_id = ${id}`.execute(trx);
  return rows[0] && { ...rows[0], hash: BigInt(rows[0].hash) };
};

const place = async (trx: Database, id: string, groupId: RawBuilder<unknown>, isCentre: boolean): Promise<void> => {
  await sql`
    update picture_hashes set group_id = ${groupId}, is_centre = ${isCentre} where media_item_id = ${id}`.execute(trx);
};

const listMembers = async (trx: Database, groupId: string, limit: number): Promise<readonly string[]> => {
  const { rows } = await sql<{ id: string }>`
    select media_item_id as id from picture_hashes where group_id = ${groupId} and not is_centre order by media_item_id limit ${limit}`.execute(
    trx,
  );
  return rows.map(({ id }) => id);
};

/** Where some of a group are left that were not settled, the first of them is its centre. */
const giveCentres = async (trx: Database, groupIds: readonly string[]): Promise<void> => {
  await sql`
    update picture_hashes as first set is_centre = true
    from unnest(${groupIds}::uuid[]) as left_group (id)
    where not exists (select from picture_hashes where group_id = left_group.id and is_centre)
      and first.media_item_id = (
        select media_item_id from picture_hashes where group_id = left_group.id and not is_centre order by media_item_id limit 1)`.execute(
    trx,
  );
};
