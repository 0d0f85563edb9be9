import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { withItem } from '@hearth/testkit/libraries/searchLibrary.ts';
import { textLine } from '@hearth/testkit/pictures/textLine.ts';
import { searchByText } from '@hearth/api/features/search/queries.ts';
import { listItemText } from '@hearth/api/features/media-items/queries.ts';
import { writeItemText } from './itemTexts.ts';

const { db, drop } = await createMigratedDatabase();
after(drop);
const user = await buildUser(db);

const setUp = async () => {
  const { id } = await buildMediaItem(db, user.id);
  return {
    id,
    write: async (...texts: string[]) => withItem(db, id, (trx) => writeItemText(trx, id, texts.map(textLine))),
    texts: async () => (await listItemText(db, id)).map(({ text }) => text),
  };
};

const isFound = async (id: string, query: string): Promise<boolean> => {
  const page = { limit: 50, start: { number: 1 } };
  return (await searchByText(db, { userId: user.id, features: {} }, query, page)).entries.some(
    (each) => each.id === id,
  );
};

test('replaces the text of an earlier run', async () => {
  const { id, write, texts } = await setUp();
  assert.deepEqual(await texts(), []);
  await write('Exit', 'Mind the gap');
  assert.deepEqual(await texts(), ['Exit', 'Mind the gap']);
  await write('Way out');
  assert.deepEqual(await texts(), ['Way out']);
  assert.deepEqual([await isFound(id, 'gap'), await isFound(id, 'way')], [false, true]);
  await write();
  assert.deepEqual([await texts(), await isFound(id, 'way')], [[], false]);
});

test('drops lines without text, and replaces NUL characters', async () => {
  const { write, texts } = await setUp();
  await write('  ', 'a\0b', '\0');
  assert.deepEqual(await texts(), ['a b']);
});

test('stores every line, but indexes only the first ten thousand characters', async () => {
  const { id, write, texts } = await setUp();
  await write(
    ...Array.from({ length: 300 }, (_, n) => `line${String.fromCodePoint(97 + (n % 26))} ${'x'.repeat(60)}`),
    'zebra',
  );
  assert.equal((await texts()).length, 301);
  assert.deepEqual([await isFound(id, 'linea'), await isFound(id, 'zebra')], [true, false]);
});

test('deletes the text with its item', async () => {
  const { id, write } = await setUp();
  await write('Exit');
  await db.deleteFrom('media_items').where('id', '=', id).execute();
  const left = await db.selectFrom('media_item_texts').selectAll().where('media_item_id', '=', id).execute();
  assert.deepEqual(left, []);
});
