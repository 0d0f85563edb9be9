import { sql, type RawBuilder } from 'kysely';
import { NotFoundError } from '@hearth/core/log/errors.ts';
import type { Database } from '@hearth/core/db/database.ts';
import { prepared, hiddenFromPlanner } from '@hearth/core/db/preparedStatements.ts';
import type { FaceRow, MediaItemRow } from '@hearth/core/db/schema.ts';
import { isListedItemShared } from '@hearth/core/items/sharedItems.ts';

export interface Cover extends MediaItemRow {
  readonly is_shared: boolean;
}

/** A row, and what stands for it, if anything of it is visible. */
export interface Covered<Row, CoverRow> {
  readonly row: Row;
  readonly cover: CoverRow | undefined;
}

/*
 * What a cover is chosen from: a query of at most one row, for the collection with the id `collection.id`. Its LIMIT keeps the planner from
 * reading all covers that there could be at once.
 */

/** What was chosen by hand while it is a visible item of the collection, else its newest visible item; none where no item is visible. */
export const itemCover: RawBuilder<Cover> = sql`
  select item.*, ${isListedItemShared} as is_shared from media_items as item where item.id = coalesce(
    (select media_item_id from collections join collection_items on collection_id = collections.id and media_item_id = cover_id
      where collections.id = collection.id and visibility = 'visible'),
    (select media_item_id from collection_items where collection_id = collection.id and visibility = 'visible'
      order by local_time desc, media_item_id desc limit 1))
  limit 1`;

/** The best face of the item that was chosen by hand while that is visible and has one, else the best of all that are visible. */
export const faceCover: RawBuilder<FaceRow> = sql`
  select face.* from faces as face where face.id = coalesce(
    (select faces.id from collections join faces on media_item_id = cover_id and person_id = collections.id
      where collections.id = collection.id and visibility = 'visible' order by quality desc, faces.id limit 1),
    (select id from faces where person_id = collection.id and visibility = 'visible' order by quality desc, id limit 1))
  limit 1`;

/**
 * Reads rows of collections with their covers, in one statement: a second one would cost as much as finding what the page shows.
 * @param columns those of `Row`; `id` is among them
 * @param rows a query of rows, in the order of the answer
 */
export const readCovered = async <Row, CoverRow extends { readonly id: string }>(
  db: Database,
  columns: readonly string[],
  rows: RawBuilder<unknown>,
  choice: RawBuilder<CoverRow>,
): Promise<Covered<Row, CoverRow>[]> => {
  // Both have an id and more of one name.
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

/** Rows with their covers; one that has lost its last visible item since it was found is left out. */
export const withCovers = <Row, CoverRow>(
  found: readonly Covered<Row, CoverRow>[],
): (Row & { readonly cover: CoverRow })[] =>
  found.flatMap(({ row, cover }) => (cover === undefined ? [] : [{ ...row, cover }]));

export const findItemCover = async (db: Database, collectionId: string): Promise<Cover | undefined> => {
  const row = sql`select ${hiddenFromPlanner(collectionId, 'uuid')} as id`;
  const [found] = await readCovered<{ readonly id: string }, Cover>(prepared(db, 'cover'), ['id'], row, itemCover);
  return found?.cover;
};

/**
 * Chooses the cover of a collection by hand; `null` leaves it to the collection again.
 * @throws NotFoundError where it is none of the collection's visible items
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
