import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { findAnsweringModel } from '@hearth/api/semantic/answeringModel.ts';
import { listDuplicateGroups } from '@hearth/api/features/duplicates/queries.ts';
import {
  findByEmbedding,
  findSimilarToItem,
  minItemSimilarity,
  findItemEmbedding,
} from '@hearth/api/semantic/findByEmbedding.ts';
import { compareSimilarItems } from '@hearth/api/semantic/nearest.ts';
import { openCandidates } from '@hearth/api/semantic/openCandidates.ts';
import { prepareVectors } from '@hearth/api/semantic/prepareVectors.ts';
import { signatureCandidates } from '@hearth/api/semantic/signatureCandidates.ts';
import { vectorCandidates } from '@hearth/api/semantic/vectorCandidates.ts';
import type { MediaItemRow, NewMediaItem } from '@hearth/core/db/schema.ts';
import { computeSimilarity } from '@hearth/core/people/faceEmbedding.ts';
import { listRuns } from '@hearth/core/runs/componentRuns.ts';
import { openPgvectorDatabase } from '@hearth/testkit/embeddings/pgvectorDatabase.ts';
import { makeCopy, makeOriginal } from '@hearth/testkit/pictures/pictureCopies.ts';
import { queryOnce } from '@hearth/testkit/database/postgres.ts';
import { makeTestVideo } from '@hearth/testkit/media/testVideo.ts';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { openInference } from '@hearth/inference/inference.ts';
import { lacksModels, listPictures, testSettings, testStore } from '@hearth/testkit/models/testModels.ts';
import { lacksMedia } from '@hearth/testkit/mediaSet/mediaSet.ts';
import { openTestWorker } from '@hearth/testkit/worker/testWorker.ts';

const worker = await openTestWorker({ HEARTH_SEARCH_MODEL: 'concept-lite' }, { models: testStore });
after(() => worker[Symbol.asyncDispose]());
const { deps, user } = worker;

const findRun = async ({ id }: MediaItemRow) => {
  const run = (await listRuns(deps.db, id)).find(({ component }) => component === 'SEARCH');
  return [run?.state, run?.reason, run?.blocked_on];
};

const processUpload = async (bytes: Buffer, values: Partial<NewMediaItem> = {}): Promise<MediaItemRow> =>
  worker.process(await worker.store(bytes, values));

/** Copies the users, items and embeddings of a database to a server with pgvector. */
const copyDatabase = async (url: string) => {
  const copy = await openPgvectorDatabase();
  for (const table of ['users', 'media_items', 'media_item_embeddings']) {
    const [columns] = await queryOnce<{ names: string }>(
      url,
      `select string_agg(attname, ', ') as names from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and attgenerated = ''`,
      [table],
    );
    const [rows] = await queryOnce<{ all: string }>(
      url,
      `select coalesce(jsonb_agg(t), '[]')::text as all from ${table} as t`,
    );
    await queryOnce(
      copy.url,
      `insert into ${table} (${columns!.names}) select ${columns!.names} from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
      [rows!.all],
    );
  }
  assert.deepEqual(await prepareVectors(copy.url), { hasVectors: true });
  return copy;
};

suite('with the stand-in model', { skip: lacksModels || lacksMedia }, () => {
  const inference = openInference({
    settings: testSettings,
    timeoutMs: 60_000,
    idleMs: 60_000,
    memoryLimitBytes: 1e9,
    onProvider: () => undefined,
  });
  after(() => inference.close());

  test('finds photos by text with the same result as an exhaustive comparison', async () => {
    const items = new Map<string, { readonly name: string; readonly embedding: Float32Array }>();
    for (const path of [...listPictures('things'), ...listPictures('things-imagenet').slice(0, 30)]) {
      const item = await processUpload(await readFile(path), { filename: path.split('/').at(-1)! });
      assert.deepEqual(await findRun(item), ['DONE', null, null], path);
      const embedding = await findItemEmbedding(deps.db, user.id, item.id, 'concept-lite');
      items.set(item.id, { name: item.filename, embedding: embedding! });
    }
    assert.equal(await findAnsweringModel(deps.db, user.id), 'concept-lite');
    // Uses pgvector if this server has it, otherwise signatures only.
    const best = openCandidates();
    await best.prepare(deps.config.databaseUrl);
    // A pgvector server with the same library. `few: 0` uses its index also for small libraries.
    const copy = missingTool('postgres-pgvector') === false ? await copyDatabase(deps.config.databaseUrl) : undefined;
    const methods = [
      { db: deps.db, candidates: signatureCandidates },
      { db: deps.db, candidates: best },
      ...(copy === undefined ? [] : [{ db: copy.db, candidates: vectorCandidates({ few: 0 }) }]),
    ];
    const find = async ({ db, candidates }: (typeof methods)[number], query: string) => {
      const queryEmbedding = await inference.embedText('concept-lite', query);
      const { found } = await findByEmbedding(db, candidates, user.id, queryEmbedding, { limit: 20 });
      const exact = [...items]
        .map(([id, { embedding }]) => ({ id, likeness: computeSimilarity(queryEmbedding.vector, embedding) }))
        .filter(({ likeness: similarity }) => similarity >= queryEmbedding.minSimilarity)
        .toSorted(compareSimilarItems)
        .slice(0, 20);
      assert.deepEqual(found, exact, query);
      return found.map(({ id }) => items.get(id)!.name);
    };
    for (const method of methods) {
      for (const query of [
        'dog',
        'cat',
        'elephant',
        'animal',
        'zebra',
        'food',
        'vehicle',
        'sea beach',
        'a pizza on a table',
      ])
        await find(method, query);
      assert.deepEqual((await find(method, 'zebra'))[0], 'zebra_green_brown.jpg');
      assert.deepEqual((await find(method, 'elephant'))[0], 'elephants.jpg');
      for (const unknown of ['xqzvw', 'flurblewhump', '', '🦄🦄'])
        assert.deepEqual(await find(method, unknown), [], unknown);
    }
    await copy?.drop();
    const [cat] = [...items].find(([, { name }]) => name === 'cat_black.jpg')!;
    const similar = await findSimilarToItem(
      deps.db,
      best,
      { userId: user.id, id: cat, model: 'concept-lite' },
      { limit: 3 },
    );
    assert.ok(
      similar!.every(
        ({ id, likeness: similarity }) =>
          id !== cat && similarity < 1 && similarity >= minItemSimilarity['concept-lite'],
      ),
    );
  });

  test('groups a resized, recompressed copy with its photo and proposes to keep the photo', async () => {
    const photo = await makeOriginal(listPictures('camera-jpeg')[0]!);
    const copy = await processUpload(await makeCopy(photo, 'of the width of a phone'), { filename: 'copy.jpg' });
    const original = await processUpload(photo, { filename: 'original.jpg' });
    const { entries: groups } = await listDuplicateGroups(deps.db, user.id, false, 10, undefined);
    const group = groups.find(({ best }) => best.some(({ id }) => id === copy.id));
    assert.deepEqual(
      group?.best.map(({ id }) => id),
      [original.id, copy.id],
    );
  });

  test('embeds the poster of a video, and a second run changes nothing', async () => {
    const film = await makeTestVideo({ seed: 1, frames: 10, width: 320, height: 240 });
    const item = await processUpload(film, { type: 'VIDEO', mime_type: 'video/vnd.avi', filename: 'film.avi' });
    assert.deepEqual(await findRun(item), ['DONE', null, null]);
    const first = await findItemEmbedding(deps.db, user.id, item.id, 'concept-lite');
    const again = { state: 'PENDING', next_attempt_at: new Date(0) } as const;
    await deps.db.updateTable('component_runs').set(again).where('media_item_id', '=', item.id).execute();
    await worker.process(item);
    assert.deepEqual(await findRun(item), ['DONE', null, null]);
    assert.deepEqual(await findItemEmbedding(deps.db, user.id, item.id, 'concept-lite'), first);
  });
});

test('blocks SEARCH of a photo without the model, but makes the photo READY', async () => {
  const without = await openTestWorker({ HEARTH_MODEL_DIR: join(testStore.directory, 'nowhere') });
  after(() => without[Symbol.asyncDispose]());
  const item = await without.process(await without.store(await makeTestPhoto({ seed: 810 })));
  assert.equal(item.status, 'READY');
  const runs = await listRuns(without.deps.db, item.id);
  const { state, reason, blocked_on } = runs.find(({ component }) => component === 'SEARCH')!;
  assert.deepEqual([state, reason, blocked_on], ['BLOCKED', 'NO_MODEL', 'embed pictures']);
});

test('fails SEARCH of an unreadable photo with the reason of its preview', async () => {
  const whole = await makeTestPhoto({ seed: 811 });
  assert.deepEqual(await findRun(await processUpload(whole.subarray(0, 150))), ['FAILED', 'CORRUPT', null]);
});
