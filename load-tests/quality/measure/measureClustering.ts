import type { Database } from '@hearth/core/db/database.ts';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { recognise, seenOn } from '@hearth/testkit/rows/faces.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { createRandom } from '@hearth/testkit/run/seededRandom.ts';
import type { LookedAt } from './portraitFaces.ts';

/** Of the pairs of photos: how many of those that were put to one person are of one, and how many of those of one person were put to one. */
export interface Clustering {
  readonly photos: number;
  readonly orders: number;
  /** The least over all orders. */
  readonly precision: number;
  readonly recall: number;
  /** How many different outcomes the orders had: 1 where the order does not matter. */
  readonly outcomes: number;
  readonly people: number;
}

/** Puts the largest face of each photo of somebody to people, in random orders, every second of these with three workers at once. */
export const measureClustering = async (all: readonly LookedAt[], orders: number): Promise<Clustering> => {
  const photos = all.filter(({ portrait, faces }) => portrait.person !== undefined && faces.length > 0);
  const { db, drop } = await createMigratedDatabase({ maxConnections: 6 });
  const random = createRandom(20);
  const outcomes = new Set<string>();
  const judged: { precision: number; recall: number; people: number }[] = [];
  for (let order = 0; order < orders; order += 1) {
    const groups = await cluster(db, photos, random.shuffle([...photos.keys()]), order % 2 === 0 ? 3 : 1);
    outcomes.add(JSON.stringify(canonical(groups)));
    judged.push({ ...judge(photos, groups), people: new Set(groups).size });
  }
  await drop();
  return {
    photos: photos.length,
    orders,
    precision: Math.min(...judged.map(({ precision }) => precision)),
    recall: Math.min(...judged.map(({ recall }) => recall)),
    outcomes: outcomes.size,
    people: judged[0]!.people,
  };
};

/** For each photo the person to whom it was put, or an id of its own where that is nobody. */
const cluster = async (
  db: Database,
  photos: readonly LookedAt[],
  order: readonly number[],
  workers: number,
): Promise<string[]> => {
  const { id: userId } = await buildUser(db);
  const ids: string[] = [];
  const left = [...order];
  const work = async (): Promise<void> => {
    for (let at = left.pop(); at !== undefined; at = left.pop()) {
      const item = await buildMediaItem(db, userId);
      ids[at] = item.id;
      const { embedding, isFounding, quality } = photos[at]!.faces[0]!;
      await recognise(db, item, [seenOn(item, embedding, { isFounding, quality })]);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  const rows = await db.selectFrom('faces').select(['media_item_id', 'person_id']).execute();
  const people = new Map(rows.map((row) => [row.media_item_id, row.person_id]));
  return ids.map((id) => people.get(id) ?? id);
};

/** The groups by the first photo of each, so that equal groups are equal. */
const canonical = (groups: readonly string[]): number[] => groups.map((group) => groups.indexOf(group));

const judge = (photos: readonly LookedAt[], groups: readonly string[]) => {
  let [right, wrong, missed] = [0, 0, 0];
  for (const [i, one] of photos.entries())
    for (let j = 0; j < i; j += 1) {
      const isSame = one.portrait.person === photos[j]!.portrait.person;
      const isTogether = groups[i] === groups[j];
      if (isSame && isTogether) right += 1;
      else if (isTogether) wrong += 1;
      else if (isSame) missed += 1;
    }
  return { precision: right / (right + wrong), recall: right / (right + missed) };
};
