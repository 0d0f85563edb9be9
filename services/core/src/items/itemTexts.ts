import { sql } from 'kysely';
import type { TextLine } from '@hearth/contract/mediaItem.ts';
import type { Database } from '../db/database.ts';
import { prepared } from '../db/preparedStatements.ts';

/** A line of text as it was read, with its corners as in `TextLine`. */
export interface ReadLine {
  readonly text: string;
  readonly confidence: number;
  readonly corners: readonly { readonly x: number; readonly y: number }[];
}

/** Characters of text in a picture by which it is found: a page of a book has 3,000. */
const maxTextLength = 10_000;

/**
 * Keeps the lines that were read in an item's picture, for search and for those who look at it, and no others; none for nothing. To be called where the
 * item's row is locked.
 */
export const writeItemText = async (trx: Database, mediaItemId: string, lines: readonly ReadLine[]): Promise<void> => {
  const kept = lines.map(keepLine).filter(({ text }) => text !== '');
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
    insert into media_item_texts as known (media_item_id, content, lines)
    values (${mediaItemId}, ${content}, ${JSON.stringify(kept)})
    on conflict (media_item_id) do update set content = excluded.content, lines = excluded.lines
    where (known.content, known.lines) is distinct from (excluded.content, excluded.lines)`.execute(
    prepared(trx, 'insert_item_text'),
  );
};

/** The lines that were read in an item's picture, in the order in which a page is read. Whose item it is, is not asked. */
export const listItemText = async (db: Database, mediaItemId: string): Promise<readonly TextLine[]> => {
  const { rows } = await sql<{ lines: readonly TextLine[] }>`
    select lines from media_item_texts where media_item_id = ${mediaItemId}`.execute(prepared(db, 'item_text'));
  return rows[0]?.lines ?? [];
};

/** In as many digits as say something: thousandths of the confidence, ten-thousandths of a side. PostgreSQL keeps no NUL. */
const keepLine = ({ text, confidence, corners }: ReadLine): TextLine => ({
  text: text.replaceAll('\0', ' ').trim(),
  confidence: round(confidence, 1e3),
  corners: corners.map(({ x, y }) => ({ x: round(x, 1e4), y: round(y, 1e4) })),
});

const round = (value: number, parts: number): number => Math.round(value * parts) / parts;
