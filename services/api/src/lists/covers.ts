import { sql, type RawBuilder } from 'kysely';
import { NotFoundError } from '@hearth/core/log/errors.ts';
import type { Database } from '@hearth/core/db/database.ts';
import { prepared, hideFromPlanner } from '@hearth/core/db/preparedStatements.ts';
import type { FaceRow, MediaItemRow } from '@hearth/core/db/schema.ts';
import { isListedItemShared } from '@hearth/core/items/sharedItems.ts';

export interface Cover extends MediaItemRow {
  readonly is_shared: boolean;
}

/** A row and its cover, which is undefined if the row has no visible item. */
export interface Covered<Row, CoverRow> {
  readonly row: Row;
  readonly cover: CoverRow | undefined;
}

/*
 * Queries for the cover of the collection `collection.id`, with at most one row. The LIMIT keeps the planner from
 * reading all possible covers at once.
 */

/** The chosen cover while it is a visible item of the collection, otherwise the newest visible item. */
export const itemCover: RawBuilder<Cover> = sql`
  select item.*, ${isListedItemShared} as is_shared from media_items as item where item.id = coalesce(
    (select media_item_id from collections join collection_items on collection_id = collections.id and media_item_id = cover_id
      where collections.id = collection.id and visibility = 'visible'),
    (select media_item_id from collection_items where collection_id = collection.id and visibility = 'visible'
      order by local_time desc, media_item_id desc limit 1))
  limit 1`;

/** The best face in the chosen item if it is visible and has one, otherwise the best visible face. */
export const faceCover: RawBuilder<FaceRow> = sql`
  select face.* from faces as face where face.id = coalesce(
    (select faces.id from collections join faces on media_item_id = cover_id and person_id = collections.id
      where collections.id = collection.id and visibility = 'visible' order by quality desc, faces.id limit 1),
    (select id from faces where person_id = collection.id and visibility = 'visible' order by quality desc, id limit 1))
  limit 1`;

/**
 * Reads rows of collections with their covers in a single statement. A second statement would cost as much as finding
 * the rows.
 * @param columns columns of `Row`, including `id`
 * @param rows a query for the rows, in the order of the result
 */
export const readCovered = async <Row, CoverRow extends { readonly id: string }>(
  db: Database,
  columns: readonly string[],
  rows: RawBuilder<unknown>,
  choice: RawBuilder<CoverRow>,
): Promise<Covered<Row, CoverRow>[]> => {
  // Renames the columns of the row, because the cover also has an `id` and other columns of the same name.
  const named = columns.map((column) => sql`${sql.ref(`collection.${column}`)} as ${sql.ref(`of_${column}`)}`);
  const { rows: found } = await sql<CoverRow & Readonly<Record<string, unknown>>>`
    select cover.*, ${sql.join(named)}
    from (select *, row_number() over () as nth from (${rows}) as listed) as collection
    left join lateral (${choice}) as cover on true
    order by nth`.execute(db);
  return found.map((each) => ({
    row: Object.fromEntries(columns.map((column) => [column, each[`of_${column}`]])) as Row,
    cover: each.id === null ? undefined : each,
  }));
};

/** Returns rows with their covers. Drops rows without a cover, which have lost their last visible item. */
export const withCovers = <Row, CoverRow>(
  found: readonly Covered<Row, CoverRow>[],
): (Row & { readonly cover: CoverRow })[] =>
  found.flatMap(({ row, cover }) => (cover === undefined ? [] : [{ ...row, cover }]));

export const findItemCover = async (db: Database, collectionId: string): Promise<Cover | undefined> => {
  const row = sql`select ${hideFromPlanner(collectionId, 'uuid')} as id`;
  const [found] = await readCovered<{ readonly id: string }, Cover>(prepared(db, 'cover'), ['id'], row, itemCover);
  return found?.cover;
};

/**
 * Chooses the cover of a collection; `null` selects it automatically again.
 * @throws NotFoundError if the item is not visible in the collection
 */
export const setCover = async (db: Database, collectionId: string, mediaItemId: string | null): Promise<void> => {
  await db
    .updateTable('collections')
    .set({ cover_id: mediaItemId })
    .where('id', '=', collectionId)
    .$if(mediaItemId !== null, (query) =>
      query.where(sql<boolean>`exists (select from collection_items
        where collection_id = ${collectionId} and media_item_id = ${mediaItemId} and visibility = 'visible')`),
    )
    .returning('id')
    .executeTakeFirstOrThrow(() => new NotFoundError('media item'));
};
