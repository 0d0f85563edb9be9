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

/** A migrated database. After it is filled, `prepare` returns its source of candidates. */
export interface NearestBench {
  readonly db: Kysely<Tables>;
  readonly url: string;
  prepare(): Promise<Candidates>;
  drop(): Promise<void>;
}

const model = 'concept-lite';
const vectors = makeVectors(1);

/**
 * Numbers of items of three owners: one with most items, one with about a hundredth of that, and one with so many that
 * only some candidates are compared exactly.
 */
const [many, few, some] = [9_900, 100, 3_000];

/** Number of signatures without an item. With them, the last owner has a hundredth of all signatures. */
export const foreignSignatures = 100 * some - many - few - some;

/** Tests nearest neighbour search with three owners, and `foreign` signatures of other users. */
export const testNearestSearch = (name: string, open: () => Promise<NearestBench>, foreign = 0): void => {
  suite(name, () => {
    let bench: NearestBench;
    let candidates: Candidates;
    const owners: { readonly userId: string; readonly embeddings: ReadonlyMap<string, Float32Array> }[] = [];

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
        owners.push({ userId, embeddings: await readEmbeddings(bench.url, userId) });
      }
      // The foreign signatures have no items, so the foreign key is dropped while they are inserted.
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
    const compareAll = (owner: number, vector: Float32Array): SimilarItem[] =>
      [...owners[owner]!.embeddings]
        .map(([id, embedding]) => ({ id, likeness: computeSimilarity(vector, embedding) }))
        .toSorted(compareSimilarItems);

    /** Returns the embedding tables with a row of this item, server-specific tables first. */
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

    for (const [owner, description] of [
      [0, 'the owner of nearly all items'],
      [1, 'an owner of 1 % of the items'],
      [2, 'an owner of 1 % of the items, most of them not compared exactly'],
    ] as const)
      test(`returns at least 98 % of the 20 nearest items for ${description}`, async () => {
        const queries = [...vectors.concepts.slice(0, 25), ...Array.from({ length: 15 }, () => vectors.next())];
        let hits = 0;
        for (const vector of queries) {
          const expected = new Set(
            compareAll(owner, vector)
              .slice(0, 20)
              .map(({ id }) => id),
          );
          const found = await nearest(owner, vector, 20);
          assert.deepEqual(found, found.toSorted(compareSimilarItems));
          assert.equal(found.length, 20);
          hits += found.filter(({ id }) => expected.has(id)).length;
        }
        assert.ok(hits / (20 * queries.length) >= 0.98, `recall ${hits / (20 * queries.length)}`);
      });

    test("compares exactly for a filter of few items, and returns no other user's items", async () => {
      const [own, others] = [
        [...owners[1]!.embeddings.keys()].slice(10, 40),
        [...owners[0]!.embeddings.keys()].slice(0, 10),
      ];
      const vector = vectors.next();
      assert.deepEqual(
        await nearest(1, vector, 50, [...others, ...own, randomUUID()]),
        compareAll(1, vector).filter(({ id }) => own.includes(id)),
      );
      assert.deepEqual(await nearest(1, vector, 50, []), []);
      const half = [...owners[0]!.embeddings.keys()].filter((_, i) => i % 2 === 0);
      const expected = compareAll(0, vector).filter(({ id }) => half.includes(id));
      assert.deepEqual((await nearest(0, vector, 5, half)).slice(0, 3), expected.slice(0, 3), 'a filter of many items');
      assert.equal(await findItemEmbedding(bench.db, owners[1]!.userId, others[0]!, model), undefined);
      const notOwn = { userId: owners[1]!.userId, id: others[0]!, model } as const;
      assert.equal(await findSimilarToItem(bench.db, candidates, notOwn, { limit: 5 }), undefined);
    });

    test('excludes items that are hidden, in the trash or being deleted, until they are restored', async () => {
      const { userId, embeddings } = owners[1]!;
      const [[id, vector]] = [...embeddings] as [[string, Float32Array]];
      const isFound = async () => {
        const found = await nearest(1, vector, 3);
        const among = await nearest(1, vector, 3, [id]);
        assert.equal(among.length === 1, found[0]?.id === id);
        return found[0]?.id === id;
      };
      assert.ok(await isFound());
      for (const change of [{ is_hidden: true }, { deleted_at: new Date() }, { removing_at: new Date() }]) {
        const restored = Object.fromEntries(
          Object.keys(change).map((column) => [column, column === 'is_hidden' ? false : null]),
        );
        const set = (values: object) => bench.db.updateTable('media_items').set(values).where('id', '=', id).execute();
        await set(change);
        assert.equal(await isFound(), false, Object.keys(change)[0]);
        assert.equal(await findItemEmbedding(bench.db, userId, id, model), undefined);
        await set(restored);
        assert.ok(await isFound());
      }
    });

    test('deletes the vector with its item', async () => {
      const { userId } = owners[1]!;
      const { id } = await buildMediaItem(bench.db, userId);
      await writeItemEmbedding(bench.db, { id, user_id: userId }, model, vectors.next());
      const tables = await listTablesWith(id);
      assert.deepEqual(tables.slice(-2), ['embedding_signatures', 'media_item_embeddings']);
      await bench.db.updateTable('media_items').set({ removing_at: new Date() }).where('id', '=', id).execute();
      await deleteRemovedItems(bench.db, [id]);
      assert.deepEqual(await listTablesWith(id), []);
    });

    test("finds an item by its latest embedding, and not by another model's embedding", async () => {
      const { userId } = owners[1]!;
      const item = await buildMediaItem(bench.db, userId);
      const [first, second, foreign] = [vectors.next(), vectors.next(), vectors.next()];
      await writeItemEmbedding(bench.db, item, model, first);
      await writeItemEmbedding(bench.db, item, model, second);
      await writeItemEmbedding(bench.db, item, 'clip-vit-b-32', foreign);
      assert.equal((await nearest(1, second, 1))[0]!.id, item.id);
      for (const unused of [first, foreign]) assert.ok((await nearest(1, unused, 1))[0]!.likeness < 0.9);
      await bench.db.deleteFrom('media_items').where('id', '=', item.id).execute();
    });

    test('continues after the last item of a page while photos are added, and ends at the threshold', async () => {
      const { userId } = owners[0]!;
      const vector = vectors.concepts[7]!;
      const query = { model, vector, minSimilarity: 0.3 } as const;
      const all = compareAll(0, vector).filter(({ likeness: similarity }) => similarity >= 0.3);
      const listed: SimilarItem[] = [];
      const added: string[] = [];
      for (let isComplete = false; !isComplete;) {
        const page = { limit: 15, after: listed.at(-1) };
        const result = await findByEmbedding(bench.db, candidates, userId, query, page);
        listed.push(...result.found);
        ({ isComplete } = result);
        const item = await buildMediaItem(bench.db, userId);
        await writeItemEmbedding(bench.db, item, model, vector);
        added.push(item.id);
      }
      assert.ok(all.length > 40, `${all.length}`);
      assert.deepEqual(listed, listed.toSorted(compareSimilarItems));
      assert.equal(new Set(listed.map(({ id }) => id)).size, listed.length);
      const missed = new Set(all.map(({ id }) => id)).difference(new Set(listed.map(({ id }) => id)));
      assert.ok(missed.size <= all.length * 0.02, `${missed.size} of ${all.length}`);
      await bench.db.deleteFrom('media_items').where('id', 'in', added).execute();
      const unknown = { model, vector: vectors.next().toReversed(), minSimilarity: 0.3 } as const;
      assert.deepEqual(await findByEmbedding(bench.db, candidates, userId, unknown, { limit: 20 }), {
        found: [],
        isComplete: true,
      });
    });

    test('returns the items that are most similar to an item, without the item itself', async () => {
      const { userId, embeddings } = owners[0]!;
      const random = createRandom(3);
      let [hits, total, shortResults] = [0, 0, 0];
      for (const id of random.shuffle([...embeddings.keys()]).slice(0, 20)) {
        const found = await findSimilarToItem(bench.db, candidates, { userId, id, model }, { limit: 10 });
        const expected = compareAll(0, embeddings.get(id)!)
          .slice(1, 11)
          .filter(({ likeness: similarity }) => similarity >= minItemSimilarity[model]);
        hits += found!.filter((item) => expected.some((other) => other.id === item.id)).length;
        total += expected.length;
        assert.ok(found!.length <= expected.length);
        if (found!.length < 10) shortResults += 1;
      }
      assert.ok(hits >= 0.95 * total && total >= 3 && shortResults > 0, `${hits} of ${total}, ${shortResults}`);
    });
  });
};
