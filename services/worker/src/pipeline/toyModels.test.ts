import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import type { ComponentName } from '@hearth/contract/vocabulary.ts';
import type { MediaItemRow, NewMediaItem } from '@hearth/core/db/schema.ts';
import { findByEmbedding, findItemEmbedding } from '@hearth/api/semantic/findByEmbedding.ts';
import { signatureCandidates } from '@hearth/api/semantic/signatureCandidates.ts';
import { listExploredOfItem } from '@hearth/api/features/explore/queries.ts';
import { listRuns } from '@hearth/core/runs/componentRuns.ts';
import { openInference } from '@hearth/inference/inference.ts';
import { testSettings, toyStore } from '@hearth/testkit/models/testModels.ts';
import { makeColourPhoto, makeDogPhoto, makeFacePhoto } from '@hearth/testkit/models/toy/toyPhotos.ts';
import { makeClip } from '@hearth/testkit/media/makeVideo.ts';
import { openTestWorker, type TestWorker } from '@hearth/testkit/worker/testWorker.ts';

// Tests with the weights of the real models are next to each component.
const worker = await openTestWorker({ HEARTH_SEARCH_MODEL: 'concept-lite' }, { models: toyStore });
after(() => worker[Symbol.asyncDispose]());
const { deps, user } = worker;

const findRun = async (component: ComponentName, { id }: MediaItemRow, { deps: { db } }: TestWorker = worker) => {
  const run = (await listRuns(db, id)).find((each) => each.component === component);
  return [run?.state, run?.reason];
};

const process = async (bytes: Buffer, values: Partial<NewMediaItem> = {}): Promise<MediaItemRow> =>
  worker.process(await worker.store(bytes, values));

const clip = { type: 'VIDEO', mime_type: 'video/mp4', filename: 'clip.mp4' } as const;

const listThings = async ({ id }: MediaItemRow): Promise<string[]> => {
  const page = { limit: 50, start: { number: 1 } };
  return (await listExploredOfItem(deps.db, 'thing', user.id, id, page)).entries.map(({ row }) => row.name);
};

const findPersonId = async ({ id }: MediaItemRow): Promise<string | null> => {
  const faces = await deps.db.selectFrom('faces').selectAll().where('media_item_id', '=', id).execute();
  assert.equal(faces.length, 1);
  assert.ok((await deps.objects.stat(faces[0]!.thumbnail_key)).sizeBytes > 100);
  return faces[0]!.person_id;
};

suite('CLASSIFICATION', () => {
  test('stores the scene and the objects of a photo', async () => {
    const [red, blue, dog] = [
      await process(await makeColourPhoto('#ff0000')),
      await process(await makeColourPhoto('#0000ff')),
      await process(await makeDogPhoto()),
    ];
    assert.deepEqual(
      [await listThings(red), await listThings(blue), await listThings(dog)],
      [['Pizza'], ['Beach'], ['Dog']],
    );
    for (const item of [red, blue, dog]) assert.deepEqual(await findRun('CLASSIFICATION', item), ['DONE', null]);
  });

  test('stores nothing for a class without a noun', async () => {
    const item = await process(await makeColourPhoto('#808080'));
    assert.deepEqual([await listThings(item), await findRun('CLASSIFICATION', item)], [[], ['DONE', null]]);
  });

  test('reads the poster of a video', async () => {
    assert.deepEqual(await listThings(await process(await makeClip(await makeColourPhoto('#0000ff')), clip)), [
      'Beach',
    ]);
  });
});

suite('SEARCH', () => {
  const inference = openInference({
    settings: { ...testSettings, store: toyStore },
    timeoutMs: 60_000,
    idleMs: 60_000,
    memoryLimitBytes: 1e9,
    onProvider: () => undefined,
  });
  after(() => inference.close());

  const find = async (query: string): Promise<string[]> => {
    const queryEmbedding = await inference.embedText('concept-lite', query);
    const { found } = await findByEmbedding(deps.db, signatureCandidates, user.id, queryEmbedding, { limit: 20 });
    return found.map(({ id }) => id);
  };

  test('finds photos and videos by the meaning of a query, and nothing for unknown words', async () => {
    const green = await process(await makeColourPhoto('#00c000'));
    const film = await process(await makeClip(await makeColourPhoto('#00ff00')), clip);
    assert.deepEqual((await find('something green')).toSorted(), [green.id, film.id].toSorted());
    assert.ok(!(await find('red')).includes(green.id));
    for (const unknown of ['zebra', '', '🦄🦄']) assert.deepEqual(await find(unknown), [], unknown);
  });

  test('keeps one embedding when an item is processed again', async () => {
    const item = await process(await makeColourPhoto('#c00000'));
    const first = await findItemEmbedding(deps.db, user.id, item.id, 'concept-lite');
    const again = { state: 'PENDING', next_attempt_at: new Date(0) } as const;
    await deps.db.updateTable('component_runs').set(again).where('media_item_id', '=', item.id).execute();
    await worker.process(item);
    assert.deepEqual(await findItemEmbedding(deps.db, user.id, item.id, 'concept-lite'), first);
    assert.deepEqual(await findRun('SEARCH', item), ['DONE', null]);
  });
});

suite('FACES', () => {
  test('groups the faces of one person, also of a video, and keeps other people apart', async () => {
    const one = await findPersonId(await process(await makeFacePhoto('#ff0000', 5, 6)));
    const same = await findPersonId(await process(await makeFacePhoto('#ff0000', 12, 4)));
    const film = await findPersonId(await process(await makeClip(await makeFacePhoto('#ff0000', 9, 7)), clip));
    const other = await findPersonId(await process(await makeFacePhoto('#0000ff', 8, 8)));
    assert.ok(one !== null && other !== null);
    assert.deepEqual([same, film], [one, one]);
    assert.notEqual(other, one);
  });

  test('finds no person in a photo without a face', async () => {
    const item = await process(await makeColourPhoto('#ff8000'));
    const faces = await deps.db.selectFrom('faces').selectAll().where('media_item_id', '=', item.id).execute();
    assert.deepEqual([faces, await findRun('FACES', item)], [[], ['DONE', null]]);
  });
});

const componentsWithModels = ['CLASSIFICATION', 'FACES', 'SEARCH'] as const satisfies ComponentName[];

test('blocks runs without models while the item is READY, and finishes them with models', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'hearth-no-models-'));
  await using without = await openTestWorker(
    { HEARTH_SEARCH_MODEL: 'concept-lite' },
    { models: { ...toyStore, directory } },
  );
  const item = await without.process(await without.store(await makeColourPhoto('#ff0000')));
  await rm(directory, { recursive: true });
  assert.equal(item.status, 'READY');
  for (const component of componentsWithModels)
    assert.deepEqual(await findRun(component, item, without), ['BLOCKED', 'NO_MODEL'], component);

  await without.deps.db
    .updateTable('component_runs')
    .set({ state: 'PENDING', reason: null, blocked_on: null, next_attempt_at: new Date(0) })
    .where('state', '=', 'BLOCKED')
    .execute();
  await without.process(item, { deps: { ...without.deps, inference: deps.inference } });
  for (const component of componentsWithModels)
    assert.deepEqual(await findRun(component, item, without), ['DONE', null], component);
});

test('fails a corrupt photo in every component that reads its pixels', async () => {
  const whole = await makeColourPhoto('#ff0000');
  const item = await process(whole.subarray(0, 150));
  for (const component of [...componentsWithModels, 'OCR'] as const)
    assert.deepEqual(await findRun(component, item), ['FAILED', 'CORRUPT'], component);
});
