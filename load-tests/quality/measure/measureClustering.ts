import type { Database } from '@hearth/core/db/database.ts';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { recognise, makeDetectedFace } from '@hearth/testkit/rows/faces.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { createRandom } from '@hearth/testkit/run/seededRandom.ts';
import type { PortraitResult } from './portraitFaces.ts';

/**
 * Pairwise clustering quality: precision is the share of pairs in one group that show the same person, recall the share
 * of same-person pairs in one group.
 */
export interface Clustering {
  readonly photos: number;
  readonly orders: number;
  /** Minimum over all orders. */
  readonly precision: number;
  /** Minimum over all orders. */
  readonly recall: number;
  /** Number of distinct results over all orders. 1 means that the order does not matter. */
  readonly outcomes: number;
  /** Number of groups in the first order. */
  readonly people: number;
}

/**
 * Clusters the largest face of each portrait in random orders. Every second order runs with three concurrent workers.
 */
export const measureClustering = async (all: readonly PortraitResult[], orders: number): Promise<Clustering> => {
  const photos = all.filter(({ portrait, faces }) => portrait.person !== undefined && faces.length > 0);
  const { db, drop } = await createMigratedDatabase({ maxConnections: 6 });
  const random = createRandom(20);
  const outcomes = new Set<string>();
  const judged: { precision: number; recall: number; people: number }[] = [];
  for (let order = 0; order < orders; order += 1) {
    const groups = await cluster(db, photos, random.shuffle([...photos.keys()]), order % 2 === 0 ? 3 : 1);
    outcomes.add(JSON.stringify(canonicalize(groups)));
    judged.push({ ...evaluate(photos, groups), people: new Set(groups).size });
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

/** Returns the person id of each photo, or the photo's own id if it has no person. */
const cluster = async (
  db: Database,
  photos: readonly PortraitResult[],
  order: readonly number[],
  workers: number,
): Promise<string[]> => {
  const { id: userId } = await buildUser(db);
  const ids: string[] = [];
  const remaining = [...order];
  const work = async (): Promise<void> => {
    for (let at = remaining.pop(); at !== undefined; at = remaining.pop()) {
      const item = await buildMediaItem(db, userId);
      ids[at] = item.id;
      const { embedding, isFounding, quality } = photos[at]!.faces[0]!;
      await recognise(db, item, [makeDetectedFace(item, embedding, { isFounding, quality })]);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  const rows = await db.selectFrom('faces').select(['media_item_id', 'person_id']).execute();
  const people = new Map(rows.map((row) => [row.media_item_id, row.person_id]));
  return ids.map((id) => people.get(id) ?? id);
};

/** Replaces each group by the index of its first photo, so that equal groupings compare equal. */
const canonicalize = (groups: readonly string[]): number[] => groups.map((group) => groups.indexOf(group));

const evaluate = (photos: readonly PortraitResult[], groups: readonly string[]) => {
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
