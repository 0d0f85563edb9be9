import { sql, type RawBuilder } from 'kysely';
import type { FeatureName } from '@hearth/contract/vocabulary.ts';
import { countCollectionItems, listCollectionItems } from '../../lists/collections.ts';
import { findItemCover } from '../../lists/covers.ts';
import type { Database } from '@hearth/core/db/database.ts';
import { getOffset } from '../../database/pages.ts';
import { prepared } from '@hearth/core/db/preparedStatements.ts';
import { andIsAfter, type MediaItemPage, type Page } from '../../lists/mediaItemLists.ts';
import type { AlbumRow, MediaItemRow } from '@hearth/core/db/schema.ts';
import { getComponentVersion } from '@hearth/core/config/pipeline.ts';

/*
 * These functions read everything that visitors see. `findSharedAlbum` and `findSharedItem` check `isOpen`; the others
 * need an album that passed this check. All items that they return are visible, READY and in the album.
 */

/** An album is open to visitors only while its owner has all of these features. */
const neededFeatures: readonly FeatureName[] = ['albums', 'sharing'];

/** Features that the server has switched off. The owner's features are looked up. */
export interface SharingOptions {
  readonly featuresOff: readonly FeatureName[];
}

/** SQL condition that visitors may see the album in `albums`: it is shared, and its owner exists and may share. */
const isOpen = ({ featuresOff }: SharingOptions): RawBuilder<boolean> => sql<boolean>`(
  albums.is_shared and ${!neededFeatures.some((feature) => featuresOff.includes(feature))}::boolean
  and exists (
    select from users where users.id = albums.user_id and users.removing_at is null
      and ${sql.join(
        neededFeatures.map((feature) => sql`users.features -> ${feature} is distinct from 'false'`),
        sql` and `,
      )}
  ))`;

/**
 * Finds the album of a share. Returns undefined after the same query for a missing album, an unshared album and an owner
 * without sharing.
 */
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

/** Returns the number of items that visitors see in a shared album, and its cover. */
export const summariseSharedAlbum = async (
  db: Database,
  id: string,
): Promise<{ readonly itemCount: number; readonly cover: MediaItemRow | undefined }> => {
  const [itemCount, cover] = await Promise.all([countShown(db, id), findItemCover(db, id)]);
  if (cover === undefined || cover.status === 'READY') return { itemCount, cover };
  return { itemCount, cover: (await listShown(db, id, { limit: 1, start: { number: 1 } }))[0] };
};

/** Returns a page of the items that visitors see, like `listCollectionItems` for the owner. */
export const listSharedItems = async (db: Database, id: string, page: Page): Promise<MediaItemPage> => {
  if ((await countUnready(db, id)) > 0) {
    const [totalCount, items] = await Promise.all([countShown(db, id), listShown(db, id, page)]);
    return { totalCount, items };
  }
  const { items, totalCount } = await listCollectionItems(db, id, page);
  // Drops an item that was added meanwhile.
  return { items: items.filter(({ status }) => status === 'READY'), totalCount };
};

/** Returns an item that visitors of this share can see at present. */
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

/** Counts the visible items of an album that are not ready. Counted on read, because they are few. */
const countUnready = async (db: Database, id: string): Promise<number> => {
  // Literals, so that a generic plan can use their partial index.
  const { rows } = await sql<{ readonly n: number }>`
    select count(*) as n from collection_items where collection_id = ${id} and visibility = 'visible' and not is_ready`.execute(
    prepared(db, 'unready_count'),
  );
  return rows[0]!.n;
};

/**
 * Like `listCollectionItems`, but skips items that are not ready. Stored counts include those, so this cannot seek by
 * them, and deep pages cost more.
 */
const listShown = async (db: Database, id: string, page: Page): Promise<MediaItemRow[]> => {
  const { limit, start } = page;
  const afterClause = andIsAfter('after' in start ? start.after : undefined, sql.ref('media_item_id'));
  const { rows } = await sql<MediaItemRow>`
    select item.* from (
      select media_item_id from collection_items
      where collection_id = ${id} and visibility = 'visible' and is_ready ${afterClause}
      order by local_time desc, media_item_id desc
      limit ${sql.lit(limit)} offset ${getOffset(page)}
    ) as page
    join media_items as item on item.id = page.media_item_id
    where item.status = 'READY'
    order by item.local_time desc, item.id desc`.execute(prepared(db, 'shared_items', limit));
  return rows;
};

/**
 * Makes runs due that create copies without metadata for these videos and photos with clips. Returns the items to
 * process. A failed run is not repeated.
 */
export const requestSharedVideos = async (db: Database, ids: readonly string[]): Promise<readonly string[]> => {
  if (ids.length === 0) return [];
  const version = getComponentVersion('TRANSCODE');
  const { rows: requested } = await sql<{ id: string }>`
    insert into component_runs as run (media_item_id, user_id, component, type, version)
    select id, user_id, 'TRANSCODE', type, ${version} from media_items
    where id = any(${ids}::uuid[]) and removing_at is null order by id
    on conflict (media_item_id, component) do update set
      state = 'PENDING', attempts = 0, reason = null, next_attempt_at = now()
    where run.state in ('DONE', 'SKIPPED')
    returning media_item_id as id`.execute(db);
  return requested.map(({ id }) => id);
};
