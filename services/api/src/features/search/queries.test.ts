import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fc, runs } from '@hearth/testkit/run/fastCheck.ts';
import { sql } from 'kysely';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { textLine } from '@hearth/testkit/pictures/textLine.ts';
import { buildSearchLibrary, withItem, type SearchedItem } from '@hearth/testkit/libraries/searchLibrary.ts';
import { insertAlbum, updateAlbum } from '../albums/queries.ts';
import { addToCollection } from '../../lists/collections.ts';
import { writeItemText } from '@hearth/core/items/itemTexts.ts';
import { updatePerson } from '../people/queries.ts';
import { searchByText } from './queries.ts';

const { db, drop } = await createMigratedDatabase();
after(drop);

const search = async (userId: string, query: string, page = { limit: 100, start: { number: 1 } }): Promise<string[]> =>
  (await searchByText(db, { userId, features: {} }, query, page)).entries.map(({ id }) => id);

const vocabulary = ['anna', 'beach', 'boat', 'cake', 'pillow', 'Élan', 'forest', 'garden', '2019', '2020', 'june'];
const anyWords = fc.array(fc.constantFrom(...vocabulary), { maxLength: 2 }).map((words) => words.join(' '));
const anyItem = fc.record<SearchedItem>({
  taken: fc.constantFrom('2019-06-01', '2019-07-01', '2020-06-01', '2021-01-01'),
  filename: anyWords.map((words) => `${words}.jpg`),
  description: anyWords.map((words) => words || 'plain'),
  things: fc.uniqueArray(fc.constantFrom('Beach', 'Boat', 'Forest'), { maxLength: 2 }),
  albums: fc.uniqueArray(fc.constantFrom('Garden', '!Cake', 'June 2019'), { maxLength: 2 }),
  people: fc.uniqueArray(fc.constantFrom('Anna', '!Pillow'), { maxLength: 1 }),
  text: anyWords,
  state: fc.constantFrom(
    {},
    {},
    {},
    { is_hidden: true },
    { deleted_at: new Date() },
    { local_time: '2020-06-05T10:00:00' },
  ),
});

/** Returns true if an item matches, in the simplest possible way: each word is in one of its texts or its date. */
const isFound = ({ taken, state = {}, ...item }: SearchedItem, words: readonly string[]): boolean => {
  if (state.is_hidden === true || state.deleted_at instanceof Date) return false;
  const date = typeof state.local_time === 'string' ? state.local_time : taken;
  const names = [
    ...(item.things ?? []),
    ...[...(item.albums ?? []), ...(item.people ?? [])].filter((name) => !name.startsWith('!')),
  ];
  const texts = [item.filename, item.description, item.text, ...names].join(' ').toLowerCase().replaceAll('é', 'e');
  const itemWords = texts.split(/[^a-z0-9]+/);
  const years = words.filter((word) => /^\d{4}$/.test(word));
  const isDate = (word: string) => word === date.slice(0, 4) || (word === 'june' && date.slice(5, 7) === '06');
  // An item matches one of several years.
  const isOfYear = years.length === 0 || years.some(isDate);
  const isContained = (word: string) => itemWords.includes(word);
  return (
    words.every((word) => isContained(word)) ||
    words.every((word) => isContained(word) || isDate(word) || (isOfYear && years.includes(word)))
  );
};

test('finds exactly the items that contain every word', async () => {
  const anyQuery = fc.constantFrom(
    'anna',
    'beach',
    'boat',
    'cake',
    'pillow',
    'elan',
    'forest',
    'garden',
    '2019',
    '2020',
    'june',
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyItem, { minLength: 1, maxLength: 8 }),
      fc.array(fc.uniqueArray(anyQuery, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 }),
      async (items, queries) => {
        const { id: userId } = await buildUser(db);
        const ids = [...(await buildSearchLibrary(db, userId, Object.fromEntries(items.entries()))).values()];
        for (const query of queries.filter(isPlain)) {
          const expected = ids.filter((_, index) => isFound(items[index]!, query));
          assert.deepEqual((await search(userId, query.join(' '))).toSorted(), expected.toSorted(), query.join(' '));
        }
      },
    ),
    { numRuns: runs(25) },
  );
});

/**
 * Returns true if at most one word can be part of a date. Words next to each other may form one date; the relevance test
 * covers such queries.
 */
const isPlain = (query: readonly string[]): boolean => query.filter((word) => /^(\d+|june)$/.test(word)).length <= 1;

/** Applies one typo to a word, which keeps at least four letters. */
const mistype = (word: string, { how, at: anywhere, letter: other }: { how: string; at: number; letter: string }) => {
  const at = anywhere % word.length;
  if (how === 'add') return word.slice(0, at) + other + word.slice(at);
  if (how === 'leave out' && word.length > 4) return word.slice(0, at) + word.slice(at + 1);
  if (how === 'swap') return word.slice(0, at) + (word[at + 1] ?? '') + word[at]! + word.slice(at + 2);
  return word.slice(0, at) + other + word.slice(at + 1);
};

test('tolerates one typo in words of at least four letters, and two in words of at least eight', async () => {
  const { id: userId } = await buildUser(db);
  const words = ['boat', 'garden', 'lighthouse', 'waterfall', 'snow', 'birthday'];
  const ids = await buildSearchLibrary(
    db,
    userId,
    Object.fromEntries(words.map((word) => [word, { taken: '2020-01-01', description: word }])),
  );
  const letter = fc.constantFrom(...'a b c d e f g h i j k l m n o p q r s t u v w x y z'.split(' '));
  const anyTypo = fc.record({
    how: fc.constantFrom('add', 'leave out', 'replace', 'swap'),
    at: fc.nat({ max: 20 }),
    letter,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...words),
      fc.array(anyTypo, { minLength: 2, maxLength: 2 }),
      async (word, [one, two]) => {
        const once = mistype(word, one!);
        assert((await search(userId, once)).includes(ids.get(word)!), once);
        const twice = mistype(once, two!);
        if (twice.length >= 8) assert((await search(userId, twice)).includes(ids.get(word)!), twice);
      },
    ),
    { numRuns: runs(150) },
  );
});

test('finds changed items by their new words only', async () => {
  const { id: userId } = await buildUser(db);
  const { id: other } = await buildUser(db);
  const ids = await buildSearchLibrary(db, userId, {
    one: { taken: '2020-01-01', description: 'zebra', text: 'invoice', albums: ['Lake'], people: ['Anna'] },
  });
  const id = ids.get('one')!;
  await db
    .updateTable('media_items')
    .set({ description: 'giraffe', local_time: '2021-02-02T00:00:00' })
    .where('id', '=', id)
    .execute();
  await withItem(db, id, (trx) => writeItemText(trx, id, [textLine('receipt')]));
  const album = await db.selectFrom('albums').select('id').where('user_id', '=', userId).executeTakeFirstOrThrow();
  await updateAlbum(db, userId, album.id, { name: 'River' });
  for (const word of ['zebra', 'invoice', 'lake', '2020']) assert.deepEqual(await search(userId, word), [], word);
  for (const word of ['giraffe', 'receipt', 'river', 'feb 2021'])
    assert.deepEqual(await search(userId, word), [id], word);
  const person = await db.selectFrom('people').select('id').where('user_id', '=', userId).executeTakeFirstOrThrow();
  for (const isHidden of [true, false]) {
    await updateAlbum(db, userId, album.id, { isHidden });
    await updatePerson(db, userId, person.id, { hidden: isHidden });
    for (const name of ['river', 'anna']) assert.deepEqual(await search(userId, name), isHidden ? [] : [id], name);
  }
  await updatePerson(db, userId, person.id, { name: 'Berta', hidden: true });
  assert.deepEqual([await search(userId, 'anna'), await search(userId, 'berta')], [[], []]);
  const theirs = await insertAlbum(db, other, {
    name: 'Mountain',
    description: null,
    isShared: false,
    isHidden: false,
  });
  assert.deepEqual(await search(userId, 'mountain'), []);
  await db.deleteFrom('media_items').where('id', '=', id).execute();
  await db.deleteFrom('albums').where('id', '=', theirs).execute();
  const { rows } = await sql<{
    n: number;
  }>`select count(*) as n from search_postings where media_item_id = ${id}`.execute(db);
  assert.deepEqual(rows, [{ n: 0 }]);
});

test('finds the newest of more than a thousand items, page by page without repeats', async () => {
  const { id: userId } = await buildUser(db);
  await sql`
    insert into media_items (id, user_id, checksum, filename, description, mime_type, size_bytes, type, taken_at, local_time)
    select gen_random_uuid(), ${userId}, sha256(n::text::bytea), 'IMG_' || n || '.jpg', case when n % 2 = 0 then 'even' end, 'image/jpeg', 1, 'PHOTO',
      now(), timestamp '2020-01-01' - n * interval '1 hour' from generate_series(1, 3000) as n`.execute(db);
  const names = async (query: string, number: number) =>
    (await searchByText(db, { userId, features: {} }, query, { limit: 200, start: { number } })).entries.map(
      ({ filename }) => filename,
    );
  for (const [query, step] of [
    ['img', 1],
    ['img even', 2],
  ] as const) {
    const found = [];
    for (let number = 1; number <= 6; number++) found.push(...(await names(query, number)));
    assert.deepEqual(
      found,
      Array.from({ length: 1_000 }, (_, index) => `IMG_${(index + 1) * step}.jpg`),
      query,
    );
  }
  const album = await insertAlbum(db, userId, { name: 'Even', description: null, isShared: false, isHidden: false });
  const last = await db
    .selectFrom('media_items')
    .select('id')
    .where('user_id', '=', userId)
    .where('filename', '=', 'IMG_2999.jpg')
    .executeTakeFirstOrThrow();
  await addToCollection(db, userId, album, [last.id]);
  assert.deepEqual((await names('even', 1)).slice(0, 2), ['IMG_2999.jpg', 'IMG_2.jpg']);
});

test('finds an album by name however many others share its words, regardless of hidden ones', async () => {
  const { id: userId } = await buildUser(db);
  const { id: itemId } = await buildMediaItem(db, userId, { filename: 'a.jpg' });
  const createAlbum = (name: string, isHidden: boolean) =>
    insertAlbum(db, userId, { name, description: null, isShared: false, isHidden });
  for (let n = 1; n <= 130; n++) {
    await createAlbum(`Holiday ${n}`, true);
    const albumId = await createAlbum(`Summer ${n}`, false);
    if (n === 109) await addToCollection(db, userId, albumId, [itemId]);
  }
  await addToCollection(db, userId, await createAlbum('Holiday visible', false), [itemId]);
  for (const query of ['holiday', 'holiday visible', 'summer', 'summer 109', 'holidai']) {
    assert.deepEqual(await search(userId, query), [itemId], query);
  }
  assert.deepEqual(await search(userId, 'summer 110'), []);
});

test('finds matches of two frequent words that occur together only in old items', async () => {
  const { id: userId } = await buildUser(db);
  const insert = (count: number, description: string, year: number) =>
    sql`
    insert into media_items (id, user_id, checksum, filename, mime_type, size_bytes, type, taken_at, local_time, description)
    select id, ${userId}, sha256(id::text::bytea), 'a.jpg', 'image/jpeg', 1, 'PHOTO', now(),
      make_timestamp(${year}::int, 5, 6, 12, 0, 0) + n * interval '7 minutes', ${description}
    from (select gen_random_uuid() as id, n from generate_series(1, ${count}::int) as n) as made`.execute(db);
  await insert(5_000, 'dog', 2022);
  await insert(5_000, 'beach', 2022);
  await insert(3, 'dog at the beach', 2015);
  assert.equal((await search(userId, 'dog beach')).length, 3);
  assert.equal((await search(userId, 'dog beach', { limit: 1, start: { number: 2 } })).length, 1);
});
