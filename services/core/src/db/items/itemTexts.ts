import { sql } from 'kysely';
import type { Database } from '../connection/database.ts';

/** Characters of text in a picture that are kept: a page of a book has 3,000. */
const maxTextLength = 10_000;

/** Keeps what was read in an item's picture, for search; empty for nothing. To be called where the item's row is locked. */
export const writeItemText = async (trx: Database, mediaItemId: string, content: string): Promise<void> => {
  const kept = Array.from(content.replaceAll('\0', ' ').trim()).slice(0, maxTextLength).join('');
  if (kept === '') {
    await sql`delete from media_item_texts where media_item_id = ${mediaItemId}`.execute(trx);
    return;
  }
  await sql`
    insert into media_item_texts as known (media_item_id, content) values (${mediaItemId}, ${kept})
    on conflict (media_item_id) do update set content = excluded.content where known.content <> excluded.content`.execute(
    trx,
  );
};
