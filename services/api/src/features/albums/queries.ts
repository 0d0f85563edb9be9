import { randomUUID } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import { NotFoundError } from '@hearth/core/log/errors.ts';
import { itemCover, readCovered, setCover, type Cover } from '../../lists/covers.ts';
import { selectItemCount } from '../../lists/collections.ts';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import {
  cutPage,
  buildPageClauses,
  exactTime,
  type NamePosition,
  type PageOf,
  type TimePosition,
  type CursorPage,
} from '../../database/pages.ts';
import { prepared } from '@hearth/core/db/preparedStatements.ts';
import type { AlbumRow } from '@hearth/core/db/schema.ts';
import { columns } from '@hearth/core/db/tables.ts';

export interface Album extends AlbumRow {
  /** Number of visible items. */
  readonly itemCount: number;
  readonly cover: Cover | undefined;
}

/** Fields to create or change an album. `coverId` as in `setCover`. */
export interface AlbumValues {
  readonly name: string;
  readonly description: string | null;
  readonly isShared: boolean;
  readonly isHidden: boolean;
  readonly coverId: string | null;
}

/** `share_id` is null while the album is not shared. */
type SharedId = Pick<AlbumRow, 'id' | 'share_id'>;

export const insertAlbum = async (
  db: Database,
  userId: string,
  { name, description, isShared, isHidden }: Omit<AlbumValues, 'coverId'>,
): Promise<string> =>
  transaction(db, async (trx) => {
    const id = randomUUID();
    await trx.insertInto('collections').values({ id, user_id: userId, kind: 'album' }).execute();
    await trx
      .insertInto('albums')
      .values({
        id,
        user_id: userId,
        name,
        description,
        share_id: isShared ? randomUUID() : null,
        is_hidden: isHidden,
      })
      .execute();
    return id;
  });

/** @throws NotFoundError, also for an album of another user */
export const getAlbum = async (db: Database, userId: string, id: string): Promise<Album> => {
  const [album] = await readAlbums(
    prepared(db, 'album'),
    sql`select * from albums where id = ${id} and user_id = ${userId}`,
  );
  if (album === undefined) throw new NotFoundError('album');
  return album;
};

/** Returns a page of the visible albums with this item, by name. */
export const listAlbumsOfItem = async (
  db: Database,
  userId: string,
  mediaItemId: string,
  page: PageOf<NamePosition>,
): Promise<CursorPage<Album, NamePosition>> => {
  const found = await readAlbums(
    prepared(db, 'item_albums', page.limit),
    sql`
      select albums.* from albums join collection_items on collection_id = albums.id
      where media_item_id = ${mediaItemId} and user_id = ${userId} and not is_hidden ${buildPageClauses(page)}`,
  );
  return cutPage(found, page.limit, ({ sort_name: name, id }) => ({ name, id }));
};

export type AlbumOrder = 'sort_name' | 'created_at' | 'updated_at';

export type AlbumPosition = NamePosition | TimePosition;

export interface AlbumQuery {
  readonly isShared?: boolean | undefined;
  readonly isHidden: boolean;
  readonly order: AlbumOrder;
  readonly isDescending: boolean;
}

/** Returns a page of a user's albums and their total number. The position must come from the same order. */
export const listAlbums = async (
  db: Database,
  userId: string,
  { isShared, isHidden, order, isDescending }: AlbumQuery,
  page: PageOf<AlbumPosition>,
): Promise<CursorPage<Album, AlbumPosition> & { readonly totalCount: number }> => {
  const listed = sql`
    from albums where user_id = ${userId} and is_hidden = ${isHidden}
      ${isShared === undefined ? sql`` : sql`and is_shared = ${isShared}`}`;
  // Sorted by an index, so that a page does not sort all albums.
  const direction = isDescending ? 'desc' : 'asc';
  const [count, found] = await Promise.all([
    sql<{ n: number }>`select count(*) as n ${listed}`.execute(prepared(db, 'albums_count')),
    readAlbums(
      prepared(db, `albums_${order}_${direction}${isShared === undefined ? '' : '_shared'}`, page.limit),
      sql`select * ${listed} ${buildPageClauses(page, sql.ref(order), direction)}`,
      order === 'sort_name' ? sql`null` : exactTime(sql.ref(`album.${order}`)),
    ),
  ]);
  const cut = cutPage(found, page.limit, ({ sort_name: name, time, id }) =>
    time === null ? { name, id } : { time, id },
  );
  return { ...cut, totalCount: count.rows[0]!.n };
};

/**
 * Changes the given fields only.
 * @throws NotFoundError for an unknown album, or a cover that is not one of its visible items
 */
export const updateAlbum = async (
  db: Database,
  userId: string,
  id: string,
  { coverId, ...changes }: Partial<AlbumValues>,
): Promise<SharedId> =>
  transaction(db, async (trx) => {
    const album = await touchAlbum(trx, userId, id, changes);
    if (coverId !== undefined) await setCover(trx, id, coverId);
    return album;
  });

/**
 * Updates `updated_at` and the given fields of an album, and locks it until the end of the transaction.
 * @throws NotFoundError
 */
export const touchAlbum = async (
  trx: Database,
  userId: string,
  id: string,
  { name, description, isShared, isHidden }: Partial<Omit<AlbumValues, 'coverId'>> = {},
): Promise<SharedId> =>
  trx
    .updateTable('albums')
    .set({ name, description, share_id: changedShareId(isShared), is_hidden: isHidden, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning(['id', 'share_id'])
    .executeTakeFirstOrThrow(() => new NotFoundError('album'));

/** Keeps the id of an active share. A new share gets a new id, so that earlier links stay invalid. */
const changedShareId = (isShared: boolean | undefined): RawBuilder<string> | null | undefined =>
  isShared === true ? sql<string>`coalesce(share_id, ${randomUUID()}::uuid)` : isShared === false ? null : undefined;

/** Reads the albums of a query with their counts and covers. `time` adds a column for positions. */
const readAlbums = async (
  db: Database,
  query: RawBuilder<unknown>,
  time: RawBuilder<unknown> = sql`null`,
): Promise<(Album & { readonly time: string | null })[]> => {
  const counted = sql`
    select album.*, (select ${selectItemCount(sql`collections`)} from collections where collections.id = album.id) as item_count, ${time} as time
    from (${query}) as album`;
  const found = await readCovered<AlbumRow & { readonly item_count: number; readonly time: string | null }, Cover>(
    db,
    [...columns.albums, 'item_count', 'time'],
    counted,
    itemCover,
  );
  return found.map(({ row, cover }) => Object.assign(row, { itemCount: row.item_count, cover }));
};
