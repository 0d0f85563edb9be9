import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { recognise, makeDetectedFace } from '@hearth/testkit/rows/faces.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { rejectFaces } from './rejectFaces.ts';

const { db, drop } = await createMigratedDatabase();
after(drop);

/** Returns a unit vector that starts with these numbers. */
const vectorOf = (...numbers: readonly number[]): Float32Array => {
  const vector = new Float32Array(128);
  vector.set(numbers);
  vector[numbers.length] = Math.sqrt(1 - numbers.reduce((sum, value) => sum + value ** 2, 0));
  return vector;
};

/** `near` has similarity 0.9 to Carl and 0.5 to `far`, which is not similar to Carl. */
const looks = { carl: vectorOf(1), near: vectorOf(0.9), far: vectorOf(0.2, 0.734) };

// Face ids and so their order are random.
for (let attempt = 1; attempt <= 4; attempt += 1)
  test(`assigns rejected faces by similarity, independent of their order (${attempt})`, async () => {
    const { id: userId } = await buildUser(db);
    const items = new Map<string, string>();
    for (const [name, look] of Object.entries(looks)) {
      const item = await buildMediaItem(db, userId);
      await recognise(db, item, [makeDetectedFace(item, look)]);
      items.set(name, item.id);
    }
    const personOn = async (name: string): Promise<string | null> =>
      (
        await db
          .selectFrom('faces')
          .select('person_id')
          .where('media_item_id', '=', items.get(name)!)
          .executeTakeFirstOrThrow()
      ).person_id;
    const first = (await personOn('far'))!;
    assert.deepEqual([await personOn('carl'), await personOn('near')], [first, first]);
    await rejectFaces(db, userId, first, [items.get('carl')!]);
    const carl = await personOn('carl');
    assert.notEqual(carl, first);
    await rejectFaces(db, userId, first, [items.get('near')!, items.get('far')!]);
    assert.deepEqual([await personOn('near'), await personOn('far')], [carl, carl]);
  });
