import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { updateUser } from '@hearth/api/accounts/users.ts';
import type { MediaItemRow, NewMediaItem } from '@hearth/core/db/schema.ts';
import { listExploredOfItem } from '@hearth/api/features/explore/queries.ts';
import { listRuns } from '@hearth/core/runs/componentRuns.ts';
import { drawFace, drawingStyles } from '@hearth/testkit/pictures/drawnFace.ts';
import { makeTestVideo } from '@hearth/testkit/media/testVideo.ts';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { lacksModels, testStore } from '@hearth/testkit/models/testModels.ts';
import { lacksMedia, mediaFolder } from '@hearth/testkit/mediaSet/mediaSet.ts';
import { openTestWorker } from '@hearth/testkit/worker/testWorker.ts';

const worker = await openTestWorker({}, { models: testStore });
after(() => worker[Symbol.asyncDispose]());
const { deps, user } = worker;

const listThings = async ({ id }: MediaItemRow): Promise<string[]> => {
  const page = { limit: 50, start: { number: 1 } };
  return (await listExploredOfItem(deps.db, 'thing', user.id, id, page)).entries.map(({ row }) => row.name);
};

const findRun = async ({ id }: MediaItemRow) => {
  const run = (await listRuns(deps.db, id)).find(({ component }) => component === 'CLASSIFICATION');
  return [run?.state, run?.reason];
};

const processUpload = async (bytes: Buffer, values: Partial<NewMediaItem> = {}): Promise<MediaItemRow> =>
  worker.process(await worker.store(bytes, values));

const photo = (path: string): Promise<Buffer> => readFile(join(mediaFolder ?? '', path));

suite('with the models', { skip: lacksModels || lacksMedia }, () => {
  test('finds the obvious things in photos, with a confidence', async () => {
    const expected: Readonly<Record<string, readonly string[]>> = {
      'things/beach_sand.jpg': ['Beach'],
      'things/cat_black.jpg': ['Cat'],
      'things/dog_toshi_red.jpg': ['Dog'],
      'things/smriti_search_example.jpg': ['Pizza'],
      'face-count/12.jpg': ['Bicycle'],
      'text/ger_1.jpg': ['Sign'],
    };
    for (const [path, names] of Object.entries(expected)) {
      const item = await processUpload(await photo(path));
      assert.deepEqual(await listThings(item), names, path);
      const rows = await deps.db
        .selectFrom('collection_items')
        .select('confidence')
        .where('media_item_id', '=', item.id)
        .where('confidence', 'is not', null)
        .execute();
      assert.equal(rows.length, names.length, path);
      for (const { confidence } of rows) assert.ok(confidence! > 0.5 && confidence! <= 1, `${path}: ${confidence}`);
      assert.deepEqual(await findRun(item), ['DONE', null]);
    }
  });

  test('stores each thing once when a photo is reprocessed', async () => {
    const item = await processUpload(await photo('things/elephants.jpg'));
    const again = { state: 'PENDING', next_attempt_at: new Date(0) } as const;
    await deps.db.updateTable('component_runs').set(again).where('media_item_id', '=', item.id).execute();
    await worker.process(item);
    assert.deepEqual(await listThings(item), ['Elephant']);
  });

  test('finds nothing in a drawing of a face', async () => {
    for (const style of drawingStyles)
      assert.deepEqual(await listThings(await processUpload(await drawFace(style))), [], style);
    const guineaPig = await processUpload(await photo('orientation/exif_orient6.png'), { mime_type: 'image/png' });
    assert.deepEqual(await listThings(guineaPig), []);
  });

  test('classifies the poster of a video', async () => {
    const film = await makeTestVideo({ seed: 1, frames: 10, width: 320, height: 240 });
    const item = await processUpload(film, { type: 'VIDEO', mime_type: 'video/vnd.avi', filename: 'film.avi' });
    assert.deepEqual(await findRun(item), ['DONE', null]);
  });
});

test('skips photos of users with things switched off, and does not catch up without a job', async () => {
  await updateUser(deps.db, user.id, { features: { things: false } });
  const item = await processUpload(await makeTestPhoto({ seed: 800 }));
  assert.deepEqual(await findRun(item), ['SKIPPED', 'FEATURE_OFF']);
  await updateUser(deps.db, user.id, { features: { things: true } });
  await worker.process(item);
  assert.deepEqual(await findRun(item), ['SKIPPED', 'FEATURE_OFF'], 'only a job reprocesses it');
});

test('fails CLASSIFICATION of an unreadable photo with the reason of its preview', async () => {
  const whole = await makeTestPhoto({ seed: 801 });
  assert.deepEqual(await findRun(await processUpload(whole.subarray(0, 150))), ['FAILED', 'CORRUPT']);
});
