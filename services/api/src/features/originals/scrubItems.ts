import { sql, type RawBuilder } from 'kysely';
import type { ComponentName, MediaItemType } from '@hearth/contract/vocabulary.ts';
import type { Database } from '@hearth/core/db/database.ts';
import { firstId } from '@hearth/core/db/ids.ts';

/** Result of a check, as in `original_checks`. */
export type OriginalState = 'OK' | 'DAMAGED' | 'MISSING';

/** An object that a component has derived from an original. */
export interface Rendition {
  readonly key: string;
  /** Recorded size. Null for renditions older than the column. */
  readonly sizeBytes: number | null;
  /** The component that creates it. */
  readonly component: ComponentName;
}

export interface ScrubItem {
  readonly id: string;
  readonly userId: string;
  readonly username: string;
  readonly filename: string;
  /** SHA-256 of the original, 32 bytes. */
  readonly checksum: Buffer;
  readonly sizeBytes: number;
  readonly createdAt: Date;
  /** Last result. Null if never checked. */
  readonly lastState: OriginalState | null;
  /**
   * Objects referenced by the item, each once. May include its original or objects of the other half of a Live Photo.
   */
  readonly renditions: readonly Rendition[];
}

/** Items per batch. Enough to distinguish a damaged item from a lost store. */
const batchSize = 50;

/**
 * Yields the items uploaded before `before` (PostgreSQL timestamp text) and not checked since: never-checked ones
 * first, then by age of the check. Yields an item that stays unchecked only once.
 */
export async function* walkUnchecked(db: Database, before: string): AsyncGenerator<readonly ScrubItem[]> {
  for (let after = firstId; ;) {
    const items = await listItems(
      db,
      sql`item.id > ${after} and item.created_at < ${before}::timestamptz and checked.media_item_id is null`,
      sql`item.id`,
    );
    if (items.length === 0) break;
    after = items.at(-1)!.id;
    yield items;
  }
  for (let after = { checkedAt: '-infinity', id: firstId }; ;) {
    const ids = await sql<{ id: string; checkedAt: string }>`
      select media_item_id as id, checked_at::text as "checkedAt" from original_checks
      where checked_at < ${before}::timestamptz
        and (checked_at, media_item_id) > (${after.checkedAt}::timestamptz, ${after.id}::uuid)
      order by checked_at, media_item_id limit ${batchSize}`.execute(db);
    if (ids.rows.length === 0) return;
    after = ids.rows.at(-1)!;
    yield await findItems(
      db,
      ids.rows.map(({ id }) => id),
    );
  }
}

/** Yields a random share (0 to 1) of all items, rounded up. Splits the sample into batches by id. */
export async function* walkSample(db: Database, share: number): AsyncGenerator<readonly ScrubItem[]> {
  const { rows } = await sql<{ id: string }>`
    with present as (select id from media_items where removing_at is null),
      sample as (
        select id from present order by random() limit (select ceil(count(*) * ${share}::numeric) from present))
    select id from sample order by id`.execute(db);
  for (let first = 0; first < rows.length; first += batchSize) {
    yield await findItems(
      db,
      rows.slice(first, first + batchSize).map(({ id }) => id),
    );
  }
}

const findItems = async (db: Database, ids: readonly string[]): Promise<readonly ScrubItem[]> =>
  listItems(db, sql`item.id = any(${ids}::uuid[])`, sql`checked.checked_at, item.id`);

const listItems = async (
  db: Database,
  condition: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): Promise<readonly ScrubItem[]> => {
  const { rows } = await sql<ItemRow>`
    select item.id, item.user_id as "userId", users.username, item.filename, item.checksum, item.size_bytes as "sizeBytes",
      item.created_at as "createdAt", checked.state as "lastState", item.type,
      item.preview_key, item.preview_bytes, item.thumbnail_key, item.thumbnail_bytes, item.poster_key, item.poster_bytes,
      item.motion_key, item.motion_bytes, item.shared_video_key, item.shared_video_bytes,
      array(select thumbnail_key from faces where media_item_id = item.id and faces.visibility <> 'missed' order by id) as face_keys,
      array(select thumbnail_bytes from faces where media_item_id = item.id and faces.visibility <> 'missed' order by id) as face_bytes
    from media_items as item
      join users on users.id = item.user_id
      left join original_checks as checked on checked.media_item_id = item.id
    where item.removing_at is null and ${condition}
    order by ${order} limit ${sql.lit(batchSize)}`.execute(db);
  return rows.map((row) => Object.assign(row, { renditions: listRenditions(row) }));
};

interface ItemRow extends Omit<ScrubItem, 'renditions'> {
  readonly type: MediaItemType;
  readonly preview_key: string | null;
  readonly preview_bytes: number | null;
  readonly thumbnail_key: string | null;
  readonly thumbnail_bytes: number | null;
  readonly poster_key: string | null;
  readonly poster_bytes: number | null;
  readonly motion_key: string | null;
  readonly motion_bytes: number | null;
  readonly shared_video_key: string | null;
  readonly shared_video_bytes: number | null;
  readonly face_keys: readonly string[];
  readonly face_bytes: readonly (number | null)[];
}

const listRenditions = (row: ItemRow): readonly Rendition[] => {
  const previewMaker = row.type === 'VIDEO' ? 'TRANSCODE' : 'PREVIEW_THUMBNAIL';
  const all: [string | null, number | null, ComponentName][] = [
    [row.preview_key, row.preview_bytes, previewMaker],
    [row.thumbnail_key, row.thumbnail_bytes, 'PREVIEW_THUMBNAIL'],
    [row.poster_key, row.poster_bytes, 'PREVIEW_THUMBNAIL'],
    [row.motion_key, row.motion_bytes, 'TRANSCODE'],
    [row.shared_video_key, row.shared_video_bytes, 'TRANSCODE'],
    ...row.face_keys.map((key, nth): [string, number | null, ComponentName] => [key, row.face_bytes[nth]!, 'FACES']),
  ];
  // The clip of a motion photo is also its copy for visitors, under the same key.
  const byKey = new Map<string, Rendition>();
  for (const [key, sizeBytes, component] of all) if (key !== null) byKey.set(key, { key, sizeBytes, component });
  return [...byKey.values()];
};
