import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fc, runs } from '@hearth/testkit/run/fastCheck.ts';
import { sql } from 'kysely';
import { buildUser } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { insertAlbum, listAlbums } from '../features/albums/queries.ts';

const { db, drop } = await createMigratedDatabase();
after(drop);

const computeKeys = async (names: readonly string[]): Promise<Buffer[]> => {
  const { rows } = await sql<{ key: string }>`
    select sort_key_of(name) as key from unnest(${names}::text[]) with ordinality as input (name, nth) order by nth`.execute(
    db,
  );
  return rows.map(({ key }) => Buffer.from(key));
};

const inOrder: readonly (readonly string[])[] = [
  ['Äpfel', 'Birnen', 'Zebra'],
  ['apple', 'Banana', 'cherry', 'Zoo', 'zoo'],
  ['2', '10', '100', 'IMG_2', 'IMG_0003', 'IMG_10'],
  ['v1.9', 'v1.10', 'v2'],
  ['12345678', '123456789', '99999999999999999', '100000000000000000', '20000000000000000000000'],
  ['Apfel', 'apfel', 'Äpfel', 'äpfel', 'Äpfel 2'],
  ['cote', 'coté', 'côte', 'côté', 'cotes'],
  ['Lodz 1', 'Łódź 2', 'Lodz 3'],
  ['Oslo', 'Østfold', 'Ottawa'],
  ['Strase', 'Straße', 'Strasse 2', 'Strast'],
  ['ελιά', 'ΖΩΗ', 'ήλιος'],
  ['берег', 'Ёлка', 'ель 2', 'Жук'],
  ['Ａ', 'b', 'Ｃ'],
  ['2019 Rom', 'Rom', 'Rom 2019'],
];

for (const names of inOrder) {
  test(`sorts names in this order: ${names.join(', ')}`, async () => {
    const keys = await computeKeys(names);
    assert.deepEqual(keys.toSorted(Buffer.compare), keys);
    assert.equal(new Set(keys.map(String)).size, keys.length);
  });
}

test('sorts names like ICU, unless they differ only in case or accents', async () => {
  const letters = new Intl.Collator('en', { sensitivity: 'base', numeric: true });
  const anyPart = fc.constantFrom(...'abzABZäÄöÖåéèêñçßøØœæ0019 '.split(''));
  const anyName = fc.string({ unit: anyPart, minLength: 1, maxLength: 8 });
  const property = fc.asyncProperty(fc.array(anyName, { minLength: 30, maxLength: 60 }), async (names) => {
    const keys = await computeKeys(names);
    for (const [a, first] of names.entries()) {
      for (const [b, second] of names.entries()) {
        const expected = letters.compare(first, second);
        if (expected !== 0)
          assert.equal(Math.sign(Buffer.compare(keys[a]!, keys[b]!)), expected, `${first} | ${second}`);
      }
    }
  });
  await fc.assert(property, { numRuns: runs(30) });
});

test('computes keys without a search path, as pg_restore sets it', async () => {
  await db.connection().execute(async (connection) => {
    await sql`set search_path = ''`.execute(connection);
    const { rows } = await sql<{ key: string }>`select public.sort_key_of('Ä 2') as key`.execute(connection);
    assert.deepEqual(rows, [{ key: 'a 12\u0001Ä 2' }]);
    await sql`reset search_path`.execute(connection);
  });
});

test('indexes and lists the longest names of any script', async () => {
  const { id: userId } = await buildUser(db);
  const names = ['ﷺ', '🏖', '1 ', '१', 'Ä', '9'].map((part) => part.repeat(255).slice(0, 2 * 255));
  const values = { description: null, isShared: false, isHidden: false };
  for (const name of names) {
    const limited = Array.from(name).slice(0, 255).join('');
    await insertAlbum(db, userId, { ...values, name: limited });
    assert.ok((await computeKeys([limited]))[0]!.length <= 2_100);
  }
  const query = { isHidden: false, order: 'sort_name', isDescending: false } as const;
  assert.equal((await listAlbums(db, userId, query, { limit: 50, start: { number: 1 } })).entries.length, names.length);
});
