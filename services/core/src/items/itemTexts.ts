import { sql } from 'kysely';
import type { TextLine } from '@hearth/contract/mediaItem.ts';
import type { Database } from '../db/database.ts';
import { prepared } from '../db/preparedStatements.ts';

/** A recognized line of text, with its corners as in `TextLine`. */
export interface ReadLine {
  readonly text: string;
  readonly confidence: number;
  readonly corners: readonly { readonly x: number; readonly y: number }[];
}

/** Characters to index per picture. The page of a book has 3,000. */
const maxTextLength = 10_000;

/**
 * Replaces the recognized lines of an item, for search and for viewers. Deletes them if all are empty. Requires a lock
 * on the item's row.
 */
export const writeItemText = async (trx: Database, mediaItemId: string, lines: readonly ReadLine[]): Promise<void> => {
  const kept = lines.map(normalizeLine).filter(({ text }) => text !== '');
  const content = Array.from(kept.map(({ text }) => text).join('\n'))
    .slice(0, maxTextLength)
    .join('');
  if (content === '') {
    await sql`delete from media_item_texts where media_item_id = ${mediaItemId}`.execute(
      prepared(trx, 'remove_item_text'),
    );
    return;
  }
  await sql`
    insert into media_item_texts as existing (media_item_id, content, lines)
    values (${mediaItemId}, ${content}, ${JSON.stringify(kept)})
    on conflict (media_item_id) do update set content = excluded.content, lines = excluded.lines
    where (existing.content, existing.lines) is distinct from (excluded.content, excluded.lines)`.execute(
    prepared(trx, 'insert_item_text'),
  );
};

/**
 * Rounds the confidence to thousandths and positions to ten-thousandths. Replaces NUL, which PostgreSQL cannot store.
 */
const normalizeLine = ({ text, confidence, corners }: ReadLine): TextLine => ({
  text: text.replaceAll('\0', ' ').trim(),
  confidence: round(confidence, 1e3),
  corners: corners.map(({ x, y }) => ({ x: round(x, 1e4), y: round(y, 1e4) })),
});

const round = (value: number, parts: number): number => Math.round(value * parts) / parts;
