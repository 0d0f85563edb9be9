import { sql, type RawBuilder } from 'kysely';
import { NotFoundError } from '@hearth/core/log/errors.ts';
import { hasVisibleItem } from '../../lists/collections.ts';
import { itemCover, readCovered, setCover, withCovers, type Cover, type Covered } from '../../lists/covers.ts';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import {
  firstNamePosition,
  cutPage,
  buildPageClauses,
  getOffset,
  type NamePosition,
  type PageOf,
  type CursorPage,
} from '../../database/pages.ts';
import { prepared } from '@hearth/core/db/preparedStatements.ts';
import type { PlaceRow, ThingRow } from '@hearth/core/db/schema.ts';
import { columns } from '@hearth/core/db/tables.ts';

/** Kinds of automatic collections, each with a name. */
export interface ExploredRows {
  readonly place: PlaceRow;
  readonly thing: ThingRow;
}
export type ExploredKind = keyof ExploredRows;

/** A place or thing with its cover: the chosen item, or the newest visible one. */
export type Explored<Kind extends ExploredKind> = ExploredRows[Kind] & { readonly cover: Cover };

/** Returns a page of a user's places or things with visible items, by name, and their total number. */
export const listExplored = async <Kind extends ExploredKind>(
  db: Database,
  kind: Kind,
  userId: string,
  page: PageOf<NamePosition>,
): Promise<CursorPage<Explored<Kind>, NamePosition> & { readonly totalCount: number }> => {
  const { limit, start } = page;
  const { name, id } = 'after' in start ? start.after : firstNamePosition;
  // OFFSET forces row-by-row lookups. Otherwise the planner reads all rows of a small table.
  const named = sql`
    select explored.*, named.total
    from list_named(${userId}, ${kind}, ${name}, ${id}, ${getOffset(page)}, ${limit + 1}) with ordinality as named (id, total, nth)
    left join lateral (select * from ${sql.table(tables[kind])} as each where each.id = named.id offset 0) as explored on true
    order by nth`;
  const found = await readCovered<ExploredRows[Kind] & { readonly total: number }, Cover>(
    prepared(db, `${kind}s`),
    [...columns[tables[kind]], 'total'],
    named,
    itemCover,
  );
  const { entries, next } = cutPage(found, limit, ({ row }) => ({ name: row.sort_name, id: row.id }));
  return { entries: withCovers(entries), next, totalCount: found[0]?.row.total ?? 0 };
};

/** @throws NotFoundError, also if it has no visible item or belongs to another user */
export const getExplored = async <Kind extends ExploredKind>(
  db: Database,
  kind: Kind,
  userId: string,
  id: string,
): Promise<Explored<Kind>> => {
  const found = await readCovered<ExploredRows[Kind], Cover>(
    prepared(db, kind),
    columns[tables[kind]],
    sql`select * from ${sql.table(tables[kind])} where id = ${id} and user_id = ${userId}`,
    itemCover,
  );
  const [explored] = withCovers(found);
  if (explored === undefined) throw new NotFoundError(kind);
  return explored;
};

/** A place or thing of an item. The postcode is the item's. */
type ExploredOfItem<Kind extends ExploredKind> = ExploredRows[Kind] &
  (Kind extends 'place' ? { readonly postcode: string | null } : unknown);

/**
 * Returns a page of an item's places or things by name. The cover is undefined without a visible item. An item has one
 * place at most.
 */
export const listExploredOfItem = async <Kind extends ExploredKind>(
  db: Database,
  kind: Kind,
  userId: string,
  mediaItemId: string,
  page: PageOf<NamePosition>,
): Promise<CursorPage<Covered<ExploredOfItem<Kind>, Cover>, NamePosition>> => {
  const found = await readCovered<ExploredOfItem<Kind>, Cover>(
    prepared(db, `item_${kind}s`, page.limit),
    kind === 'place' ? [...columns.places, 'postcode'] : columns.things,
    sql`${selectExploredOfItem[kind]} where media_item_id = ${mediaItemId} and user_id = ${userId} ${buildPageClauses(page)}`,
    itemCover,
  );
  return cutPage(found, page.limit, ({ row }) => ({ name: row.sort_name, id: row.id }));
};

const selectExploredOfItem: Readonly<Record<ExploredKind, RawBuilder<unknown>>> = {
  place: sql`select places.*, postcode from media_item_places join places on places.id = place_id`,
  thing: sql`select things.* from collection_items join things on things.id = collection_id`,
};

/**
 * Chooses the cover of a place or thing; `null` selects it automatically again.
 * @throws NotFoundError for an unknown place or thing, or a cover that is not one of its visible items
 */
export const setExploredCover = async (
  db: Database,
  kind: ExploredKind,
  userId: string,
  id: string,
  mediaItemId: string | null,
): Promise<void> =>
  transaction(db, async (trx) => {
    const { numAffectedRows } = await sql`
      update ${sql.table(tables[kind])} as explored set updated_at = now()
      where id = ${id} and user_id = ${userId} and ${hasVisibleItem('explored')}`.execute(trx);
    if (numAffectedRows === 0n) throw new NotFoundError(kind);
    await setCover(trx, id, mediaItemId);
  });

const tables = { place: 'places', thing: 'things' } as const;
