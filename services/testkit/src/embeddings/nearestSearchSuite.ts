import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import type { Kysely } from 'kysely';
import {
  findByEmbedding,
  findSimilarToItem,
  minItemSimilarity,
  findItemEmbedding,
} from '@hearth/api/semantic/findByEmbedding.ts';
import { writeItemEmbedding } from '@hearth/core/items/itemEmbeddings.ts';
import type { Candidates, SimilarItem } from '@hearth/api/semantic/candidates.ts';
import { compareSimilarItems, findNearest } from '@hearth/api/semantic/nearest.ts';
import type { Tables } from '@hearth/core/db/schema.ts';
import { decodeEmbedding, computeSimilarity } from '@hearth/core/people/faceEmbedding.ts';
import { deleteRemovedItems } from '@hearth/api/features/trash/removal.ts';
import { buildMediaItem, buildUser } from '../rows/factories.ts';
import { fillLibrary } from '../libraries/fillLibrary.ts';
import { withoutSlowTriggers } from '../libraries/fillSearch.ts';
import { queryOnce } from '../database/postgres.ts';
import { createRandom } from '../run/seededRandom.ts';
import { fillEmbeddings, fillManyEmbeddings, makeVectors } from './generatedEmbeddings.ts';

/** Reads the stored embeddings of a user, by item. */
const readEmbeddings = async (url: string, userId: string): Promise<ReadonlyMap<string, Float32Array>> => {
  const rows = await queryOnce<{ id: string; embedding: Buffer }>(
    url,
    'select media_item_id as id, embedding from media_item_embeddings where user_id = $1',
    [userId],
  );
  return new Map(rows.map(({ id, embedding }) => [id, decodeEmbedding(embedding)]));
};

/** A migrated database. `prepare` returns its source of candidates after it was filled. */
export interface NearestBench {
  readonly db: Kysely<Tables>;
  readonly url: string;
  prepare(): Promise<Candidates>;
  drop(): Promise<void>;
}

const model = 'concept-lite';
const vectors = makeVectors(1);

/** Number of items of three owners: of most items, of a hundredth of them, and of one with so many that only some candidates are compared exactly. */
const [many, few, some] = [9_900, 100, 3_000];

/** Number of signatures without an item, so that the last owner has a hundredth of all. */
export const foreignSignatures = 100 * some - many - few - some;

/** Tests nearest neighbour search in a library of three owners, with `foreign` signatures of others. */
export const testNearestSearch = (name: string, open: () => Promise<NearestBench>, foreign = 0): void => {
  suite(name, () => {
    let bench: NearestBench;
    let candidates: Candidates;
    const owners: { readonly userId: string; readonly kept: ReadonlyMap<string, Float32Array> }[] = [];

    before(async () => {
      bench = await open();
      for (const count of [many, few, some]) {
        const { id: userId } = await buildUser(bench.db);
        await withoutSlowTriggers(bench.url, () => fillLibrary(bench.url, userId, count));
        const rows = await queryOnce<{ id: string }>(
          bench.url,
          `select id from media_items where user_id = $1 and visibility = 'visible' order by id`,
          [userId],
        );
        const owner = { userId, model, ids: rows.map(({ id }) => id) } as const;
        // With few items the database derives the signatures, as in an installation.
        await (count === few ? fillEmbeddings : fillManyEmbeddings)(bench.url, owner, vectors);
        owners.push({ userId, kept: await readEmbeddings(bench.url, userId) });
      }
      const key = 'constraint embedding_signatures_media_item_id_model_fkey';
      await queryOnce(bench.url, `alter table embedding_signatures drop ${key}`);
      await queryOnce(
        bench.url,
        `insert into embedding_signatures (media_item_id, model, user_id, visibility, signature)
         select gen_random_uuid(), $1, $2, 'visible', repeat(((n * 2654435761) % 4294967296)::bit(32)::text, 16)::bit(512)
         from generate_series(1, $3::bigint) as n`,
        [model, randomUUID(), foreign],
      );
      await queryOnce(
        bench.url,
        `alter table embedding_signatures add ${key}
         foreign key (media_item_id, model) references media_item_embeddings on delete cascade not valid`,
      );
      candidates = await bench.prepare();
      await queryOnce(bench.url, 'vacuum analyze');
    });
    after(() => bench.drop());

    const nearest = (owner: number, vector: Float32Array, limit: number, among?: readonly string[]) =>
      findNearest(bench.db, candidates, { userId: owners[owner]!.userId, model, vector, limit, among });
    const exactly = (owner: number, vector: Float32Array): SimilarItem[] =>
      [...owners[owner]!.kept]
        .map(([id, each]) => ({ id, likeness: computeSimilarity(vector, each) }))
        .toSorted(compareSimilarItems);

    /** Returns the tables of embeddings that have a row of this item, with server-specific tables first. */
    const listTablesWith = async (id: string): Promise<string[]> => {
      const tables = await queryOnce<{ name: string }>(
        bench.url,
        `select tablename as name from pg_tables where schemaname = 'public' and tablename like '%embedding%' and tablename <> 'face_embeddings'
         order by tablename = 'media_item_embeddings', tablename = 'embedding_signatures'`,
      );
      const found: string[] = [];
      for (const { name } of tables)
        if ((await queryOnce(bench.url, `select from ${name} where media_item_id = $1`, [id])).length > 0)
          found.push(name);
      return found;
    };

    for (const [owner, whose] of [
      [0, 'the owner of nearly all items'],
      [1, 'an owner of 1 % of the items'],
      [2, 'an owner of 1 % of the items, most of them not compared exactly'],
    ] as const)
      test(`returns the same 20 nearest items as an exhaustive comparison for ${whose}`, async () => {
        const asked = [...vectors.concepts.slice(0, 25), ...Array.from({ length: 15 }, () => vectors.next())];
        let right = 0;
        for (const vector of asked) {
          const wanted = new Set(
            exactly(owner, vector)
              .slice(0, 20)
              .map(({ id }) => id),
          );
          const found = await nearest(owner, vector, 20);
          assert.deepEqual(found, found.toSorted(compareSimilarItems));
          assert.equal(found.length, 20);
          right += found.filter(({ id }) => wanted.has(id)).length;
        }
        assert.ok(right / (20 * asked.length) >= 0.98, `recall ${right / (20 * asked.length)}`);
      });

    test("compares exactly for a filter of few items, and returns no other user's items", async () => {
      const [own, others] = [[...owners[1]!.kept.keys()].slice(10, 40), [...owners[0]!.kept.keys()].slice(0, 10)];
      const vector = vectors.next();
      assert.deepEqual(
        await nearest(1, vector, 50, [...others, ...own, randomUUID()]),
        exactly(1, vector).filter(({ id }) => own.includes(id)),
      );
      assert.deepEqual(await nearest(1, vector, 50, []), []);
      const half = [...owners[0]!.kept.keys()].filter((_, i) => i % 2 === 0);
      const wanted = exactly(0, vector).filter(({ id }) => half.includes(id));
      assert.deepEqual((await nearest(0, vector, 5, half)).slice(0, 3), wanted.slice(0, 3), 'a filter of many items');
      assert.equal(await findItemEmbedding(bench.db, owners[1]!.userId, others[0]!, model), undefined);
      const notOwn = { userId: owners[1]!.userId, id: others[0]!, model } as const;
      assert.equal(await findSimilarToItem(bench.db, candidates, notOwn, { limit: 5 }), undefined);
    });

    test('hides items that are hidden, in the trash or being deleted, and finds them when they are restored', async () => {
      const { userId, kept } = owners[1]!;
      const [[id, vector]] = [...kept] as [[string, Float32Array]];
      const isFound = async () => {
        const found = await nearest(1, vector, 3);
        const among = await nearest(1, vector, 3, [id]);
        assert.equal(among.length === 1, found[0]?.id === id);
        return found[0]?.id === id;
      };
      assert.ok(await isFound());
      for (const change of [{ is_hidden: true }, { deleted_at: new Date() }, { removing_at: new Date() }]) {
        const back = Object.fromEntries(
          Object.keys(change).map((column) => [column, column === 'is_hidden' ? false : null]),
        );
        const set = (values: object) => bench.db.updateTable('media_items').set(values).where('id', '=', id).execute();
        await set(change);
        assert.equal(await isFound(), false, Object.keys(change)[0]);
        assert.equal(await findItemEmbedding(bench.db, userId, id, model), undefined);
        await set(back);
        assert.ok(await isFound());
      }
    });

    test('deletes the vector with its item', async () => {
      const { userId } = owners[1]!;
      const { id } = await buildMediaItem(bench.db, userId);
      await writeItemEmbedding(bench.db, { id, user_id: userId }, model, vectors.next());
      const holding = await listTablesWith(id);
      assert.deepEqual(holding.slice(-2), ['embedding_signatures', 'media_item_embeddings']);
      await bench.db.updateTable('media_items').set({ removing_at: new Date() }).where('id', '=', id).execute();
      await deleteRemovedItems(bench.db, [id]);
      assert.deepEqual(await listTablesWith(id), []);
    });

    test('finds an item by its latest embedding, and not by that of another model', async () => {
      const { userId } = owners[1]!;
      const item = await buildMediaItem(bench.db, userId);
      const [first, second, foreign] = [vectors.next(), vectors.next(), vectors.next()];
      await writeItemEmbedding(bench.db, item, model, first);
      await writeItemEmbedding(bench.db, item, model, second);
      await writeItemEmbedding(bench.db, item, 'clip-vit-b-32', foreign);
      assert.equal((await nearest(1, second, 1))[0]!.id, item.id);
      for (const gone of [first, foreign]) assert.ok((await nearest(1, gone, 1))[0]!.likeness < 0.9);
      await bench.db.deleteFrom('media_items').where('id', '=', item.id).execute();
    });

    test('continues pages after the last one while photos are added, and ends at the threshold', async () => {
      const { userId } = owners[0]!;
      const vector = vectors.concepts[7]!;
      const asked = { model, vector, minSimilarity: 0.3 } as const;
      const all = exactly(0, vector).filter(({ likeness: similarity }) => similarity >= 0.3);
      const walked: SimilarItem[] = [];
      const added: string[] = [];
      for (let isComplete = false; !isComplete;) {
        const page = { limit: 15, after: walked.at(-1) };
        const answer = await findByEmbedding(bench.db, candidates, userId, asked, page);
        walked.push(...answer.found);
        ({ isComplete } = answer);
        const item = await buildMediaItem(bench.db, userId);
        await writeItemEmbedding(bench.db, item, model, vector);
        added.push(item.id);
      }
      assert.ok(all.length > 40, `${all.length}`);
      assert.deepEqual(walked, walked.toSorted(compareSimilarItems));
      assert.equal(new Set(walked.map(({ id }) => id)).size, walked.length);
      const missed = new Set(all.map(({ id }) => id)).difference(new Set(walked.map(({ id }) => id)));
      assert.ok(missed.size <= all.length * 0.02, `${missed.size} of ${all.length}`);
      await bench.db.deleteFrom('media_items').where('id', 'in', added).execute();
      const unknown = { model, vector: vectors.next().toReversed(), minSimilarity: 0.3 } as const;
      assert.deepEqual(await findByEmbedding(bench.db, candidates, userId, unknown, { limit: 20 }), {
        found: [],
        isComplete: true,
      });
    });

    test('returns the nearest similar items to an item, without itself', async () => {
      const { userId, kept } = owners[0]!;
      const random = createRandom(3);
      let [right, all, short] = [0, 0, 0];
      for (const id of random.shuffle([...kept.keys()]).slice(0, 20)) {
        const found = await findSimilarToItem(bench.db, candidates, { userId, id, model }, { limit: 10 });
        const wanted = exactly(0, kept.get(id)!)
          .slice(1, 11)
          .filter(({ likeness: similarity }) => similarity >= minItemSimilarity[model]);
        right += found!.filter((each) => wanted.some((other) => other.id === each.id)).length;
        all += wanted.length;
        assert.ok(found!.length <= wanted.length);
        if (found!.length < 10) short += 1;
      }
      assert.ok(right >= 0.95 * all && all >= 3 && short > 0, `${right} of ${all}, ${short}`);
    });
  });
};
