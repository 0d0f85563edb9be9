import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { updateUser } from '@hearth/api/accounts/users.ts';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import { listPeople, updatePerson } from '@hearth/api/features/people/queries.ts';
import { listRuns } from '@hearth/core/runs/componentRuns.ts';
import { mediaItemPrefix } from '@hearth/core/objects/keys.ts';
import { getComponentVersion } from '@hearth/core/config/pipeline.ts';
import { buildUser } from '@hearth/testkit/rows/factories.ts';
import { lacksModels, listPictures, testStore } from '@hearth/testkit/models/testModels.ts';
import { components } from '../../pipeline/components.ts';
import { toFrame, rotateSideways, openPicture } from '@hearth/testkit/pictures/facePictures.ts';
import { makeVideo } from '@hearth/testkit/media/makeVideo.ts';
import { makeFlatImage } from '@hearth/testkit/mediaSet/renderBytes.ts';
import { runItem } from '../../pipeline/runPool.ts';
import { openTestWorker } from '@hearth/testkit/worker/testWorker.ts';

const worker = await openTestWorker({}, { models: testStore });
const { deps } = worker;
const { db, objects } = deps;
after(async () => worker[Symbol.asyncDispose]());

const skip = lacksModels;

const { FACES: faces } = components;

const portrait = async (name: string): Promise<Buffer> =>
  readFile(listPictures('faces').find((path) => path.endsWith(name))!);

const listFaces = async ({ id }: MediaItemRow) =>
  db.selectFrom('faces').selectAll().where('media_item_id', '=', id).orderBy('box_left').execute();

const listThumbnails = async ({ user_id, id }: MediaItemRow): Promise<string[]> => {
  const keys = await Array.fromAsync(objects.list(mediaItemPrefix(user_id, id)), ({ key }) => key);
  return keys.filter((key) => key.includes('/face-')).toSorted();
};

const readPicture = async (key: string) => openPicture(await buffer(await objects.open(key)));

test('assigns faces of one person to one person, each with a thumbnail', { skip }, async () => {
  const items = [];
  for (const name of ['person05_img4.jpg', 'person05_img5.jpg', 'person10_img30.jpg'])
    items.push(await worker.process(await worker.store(await portrait(name))));
  const found = await Promise.all(items.map(listFaces));
  assert.deepEqual(
    found.map(({ length }) => length),
    [1, 1, 1],
  );
  const [one, same, other] = found.map(([face]) => face!);
  assert.equal(one!.person_id, same!.person_id);
  assert.notEqual(one!.person_id, other!.person_id);
  for (const [index, item] of items.entries()) {
    const { thumbnail_key: key, thumbnail_bytes: bytes } = found[index]![0]!;
    assert.deepEqual(await listThumbnails(item), [key]);
    assert.equal(bytes, (await objects.stat(key)).sizeBytes);
    const { format, width, height } = await readPicture(found[index]![0]!.thumbnail_key);
    assert.equal(format, 'webp');
    assert.ok(Math.max(width, height) === 240 && Math.min(width, height) > 230, `${width} × ${height}`);
  }
  const rows = await db.selectFrom('face_embeddings').selectAll().execute();
  assert.ok(rows.every(({ embedding, is_founding }) => embedding.length === 256 && is_founding));
});

test('detects faces upright, and a second run changes nothing', { skip }, async () => {
  const lying = await rotateSideways(await portrait('person10_img31.jpg'));
  const item = await worker.process(await worker.store(lying));
  const [face] = await listFaces(item);
  assert.ok(face!.box_height > face!.box_width * 0.9 && face!.quality > 0.8, `quality ${face!.quality}`);
  // A face found in the thumbnail, in its middle, shows that the thumbnail is upright.
  const again = await deps.inference.findFaces([await readPicture(face!.thumbnail_key)]);
  assert.equal(again.length, 1);
  assert.ok(again[0]!.box.width > 0.35 && again[0]!.box.width < 0.75, `${again[0]!.box.width} of the picture`);
  await db.updateTable('component_runs').set({ state: 'PENDING' }).where('media_item_id', '=', item.id).execute();
  await worker.process(item);
  assert.deepEqual(await listFaces(item), [face]);
});

test('keeps a name when one version misses the face and the next finds it again', { skip }, async () => {
  const item = await worker.process(await worker.store(await portrait('person02_img3.jpg')));
  const [face] = await listFaces(item);
  await updatePerson(db, item.user_id, face!.person_id!, { name: 'Ada' });
  const reprocess = async (how: typeof faces): Promise<void> => {
    const again = { state: 'PENDING', version: getComponentVersion('FACES') - 1, attempts: 0 } as const;
    await db
      .updateTable('component_runs')
      .set(again)
      .where('media_item_id', '=', item.id)
      .where('component', '=', 'FACES')
      .execute();
    await runItem(deps, 'ml', { ...components, FACES: how }, { mediaItemId: item.id });
    const run = (await listRuns(db, item.id)).find(({ component }) => component === 'FACES');
    assert.deepEqual([run?.state, run?.version], ['DONE', getComponentVersion('FACES')]);
  };
  const people = async () =>
    (await listPeople(db, item.user_id, false, { limit: 10, start: { number: 1 } })).entries.filter(
      ({ id }) => id === face!.person_id,
    );
  // The same component with a model that detects no faces.
  await reprocess({
    ...faces,
    run: (given, ...rest) =>
      faces.run({ ...given, inference: { ...given.inference, findFaces: async () => [] } }, ...rest),
  });
  assert.deepEqual(
    (await listFaces(item)).map(({ visibility }) => visibility),
    ['missed'],
  );
  assert.deepEqual(await people(), []);
  await reprocess(faces);
  assert.deepEqual(await listFaces(item), [face]);
  assert.deepEqual(
    (await people()).map(({ id, name }) => [id, name]),
    [[face!.person_id, 'Ada']],
  );
});

test('detects the faces on the poster of a video', { skip }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-faces-'));
  t.after(() => rm(folder, { recursive: true }));
  const frame = await toFrame(await portrait('person05_img7.jpg'));
  const path = join(folder, 'film.mp4');
  await makeVideo(path, { pictures: Array.from({ length: 5 }, () => frame), encoder: 'libx264' });
  const values = { type: 'VIDEO', mime_type: 'video/mp4', filename: 'film.mp4' } as const;
  const item = await worker.process(await worker.store(await readFile(path), values));
  const found = await listFaces(item);
  assert.equal(found.length, 1);
  assert.equal((await readPicture(found[0]!.thumbnail_key)).width, 240);
});

test('writes no embedding if the people feature is off, or switched off during the run', { skip }, async () => {
  const count = async ({ user_id, id }: MediaItemRow) => [
    (await db.selectFrom('face_embeddings').select('face_id').where('user_id', '=', user_id).execute()).length,
    (await listFaces({ id } as MediaItemRow)).length,
    (await db.selectFrom('people').select('id').where('user_id', '=', user_id).execute()).length,
  ];
  const bytes = await portrait('person00_img21.jpg');
  const without = await buildUser(db, { features: { people: false } });
  const item = await worker.store(bytes, { user_id: without.id });
  for (const pool of ['media', 'ml']) await runItem(deps, pool, components, { mediaItemId: item.id });
  const run = (await listRuns(db, item.id)).find(({ component }) => component === 'FACES');
  assert.deepEqual([run?.state, run?.reason], ['SKIPPED', 'FEATURE_OFF']);
  assert.deepEqual(await count(item), [0, 0, 0]);
  assert.deepEqual(await listThumbnails(item), []);

  const leaving = await buildUser(db);
  const second = await worker.store(bytes, { user_id: leaving.id });
  await runItem(deps, 'media', components, { mediaItemId: second.id });
  const switching: typeof faces = {
    ...faces,
    run: async (...given) => {
      const outcome = await faces.run(...given);
      await updateUser(db, leaving.id, { features: { people: false } });
      return outcome;
    },
  };
  await runItem(deps, 'ml', { ...components, FACES: switching }, { mediaItemId: second.id });
  assert.deepEqual(await count(second), [0, 0, 0]);
  const switched = (await listRuns(db, second.id)).find(({ component }) => component === 'FACES');
  assert.deepEqual([switched?.state, switched?.reason], ['SKIPPED', 'FEATURE_OFF']);
});

test('finds no faces on a photo without one', async () => {
  const bytes = await makeFlatImage('#6090c0').resize(900, 600).jpeg().toBuffer();
  const item = await worker.process(await worker.store(bytes));
  assert.deepEqual([await listFaces(item), await listThumbnails(item)], [[], []]);
  assert.equal((await listRuns(db, item.id)).find(({ component }) => component === 'FACES')?.state, 'DONE');
});
