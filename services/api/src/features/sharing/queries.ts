import { sql, type RawBuilder } from 'kysely';
import type { FeatureName } from '@hearth/contract/vocabulary.ts';
import { countCollectionItems, listCollectionItems } from '../../lists/collections.ts';
import { findItemCover } from '../../lists/covers.ts';
import type { Database } from '@hearth/core/db/database.ts';
import { offsetOf } from '../../database/pages.ts';
import { prepared } from '@hearth/core/db/preparedStatements.ts';
import { andIsBehind, type MediaItemPage, type Page } from '../../lists/mediaItemLists.ts';
import type { AlbumRow, MediaItemRow } from '@hearth/core/db/schema.ts';

/*
 * What visitors are shown: the only functions that read media without an owner. All of them begin with `isOpen`, and show of an album's items
 * those that are visible and ready.
 */

/** A shared album is seen only where its owner has all of these. */
const neededFeatures: readonly FeatureName[] = ['albums', 'sharing'];

/** Which features nobody has; those of the owner are looked up. */
export interface SharingOptions {
  readonly featuresOff: readonly FeatureName[];
}

/** Whether anybody may see the album in `albums`: it is shared, and its owner is here and may share. */
const isOpen = ({ featuresOff }: SharingOptions): RawBuilder<boolean> => sql<boolean>`(
  albums.is_shared and ${!neededFeatures.some((feature) => featuresOff.includes(feature))}::boolean
  and exists (
    select from users where users.id = albums.user_id and users.removing_at is null
      and ${sql.join(
        neededFeatures.map((feature) => sql`users.features -> ${feature} is distinct from 'false'`),
        sql` and `,
      )}
  ))`;

/** Finds the album of a share. A missing or unshared album, or an owner without sharing, gives undefined after the same query. */
export const findSharedAlbum = async (
  db: Database,
  shareId: string,
  options: SharingOptions,
): Promise<AlbumRow | undefined> =>
  prepared(db, 'shared_album')
    .selectFrom('albums')
    .selectAll()
    .where('share_id', '=', shareId)
    .where(isOpen(options))
    .executeTakeFirst();

/** How many items of a shared album visitors are shown, and the one that stands for it. */
export const summariseSharedAlbum = async (
  db: Database,
  id: string,
): Promise<{ readonly itemCount: number; readonly cover: MediaItemRow | undefined }> => {
  const [itemCount, cover] = await Promise.all([countShown(db, id), findItemCover(db, id)]);
  if (cover === undefined || cover.status === 'READY') return { itemCount, cover };
  return { itemCount, cover: (await listShown(db, id, { limit: 1, start: { number: 1 } }))[0] };
};

/** A page of what visitors are shown of a shared album, as `listCollectionItems` makes them for its owner. */
export const listSharedItems = async (db: Database, id: string, page: Page): Promise<MediaItemPage> => {
  if ((await countUnready(db, id)) > 0) {
    const [totalCount, items] = await Promise.all([countShown(db, id), listShown(db, id, page)]);
    return { totalCount, items };
  }
  const { items, totalCount } = await listCollectionItems(db, id, page);
  // One that has come meanwhile.
  return { items: items.filter(({ status }) => status === 'READY'), totalCount };
};

/** An item as far as visitors of this share are shown it now. */
export const findSharedItem = async (
  db: Database,
  shareId: string,
  mediaItemId: string,
  options: SharingOptions,
): Promise<MediaItemRow | undefined> =>
  prepared(db, 'shared_item')
    .selectFrom('albums')
    .innerJoin('collection_items', 'collection_id', 'albums.id')
    .innerJoin('media_items', 'media_items.id', 'media_item_id')
    .selectAll('media_items')
    .where('albums.share_id', '=', shareId)
    .where('media_item_id', '=', mediaItemId)
    .where('collection_items.visibility', '=', 'visible')
    .where('status', '=', 'READY')
    .where(isOpen(options))
    .executeTakeFirst();

const countShown = async (db: Database, id: string): Promise<number> => {
  const [visible, unready] = await Promise.all([countCollectionItems(db, id), countUnready(db, id)]);
  return Math.max(0, visible - unready);
};

/** How many visible items of an album cannot be shown yet, or ever: counted, since they are few. */
const countUnready = async (db: Database, id: string): Promise<number> => {
  // Literals, so that a plan for all albums has the index of these.
  const { rows } = await sql<{ readonly n: number }>`
    select count(*) as n from collection_items where collection_id = ${id} and visibility = 'visible' and not is_ready`.execute(
    prepared(db, 'unready_count'),
  );
  return rows[0]!.n;
};

/**
 * As `listCollectionItems`, but passes over items that are not ready. Kept counts have these too, so it cannot jump by them, and pages of a high
 * number cost more.
 */
const listShown = async (db: Database, id: string, page: Page): Promise<MediaItemRow[]> => {
  const { limit, start } = page;
  const behind = andIsBehind('after' in start ? start.after : undefined, sql.ref('media_item_id'));
  const { rows } = await sql<MediaItemRow>`
    select item.* from (
      select media_item_id from collection_items
      where collection_id = ${id} and visibility = 'visible' and is_ready ${behind}
      order by local_time desc, media_item_id desc
      limit ${sql.lit(limit)} offset ${offsetOf(page)}
    ) as page
    join media_items as item on item.id = page.media_item_id
    where item.status = 'READY'
    order by item.local_time desc, item.id desc`.execute(prepared(db, 'shared_items', limit));
  return rows;
};
