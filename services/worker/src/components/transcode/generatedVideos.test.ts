import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { addToCollection } from '@hearth/api/lists/collections.ts';
import { insertAlbum } from '@hearth/api/features/albums/queries.ts';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import { getMediaItem } from '@hearth/core/items/mediaItems.ts';
import { listRuns } from '@hearth/core/runs/componentRuns.ts';
import { originalKey, posterKey, previewKey, sharedVideoKey } from '@hearth/core/objects/keys.ts';
import { getComponentVersion } from '@hearth/core/config/pipeline.ts';
import { makeTestVideo } from '@hearth/testkit/media/testVideo.ts';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { components } from '../../pipeline/components.ts';
import { getItemDeps } from '../../context/deps.ts';
import { makeClip } from '@hearth/testkit/media/makeVideo.ts';
import { runItem } from '../../pipeline/runPool.ts';
import { openTestWorker } from '@hearth/testkit/worker/testWorker.ts';
import { requestSharedVideos } from '@hearth/api/features/sharing/queries.ts';

const worker = await openTestWorker();
after(() => worker[Symbol.asyncDispose]());
const { deps, user } = worker;

const picture = await makeTestPhoto({ seed: 900, width: 320, height: 240 });
const mp4 = { type: 'VIDEO', mime_type: 'video/mp4', filename: 'clip.mp4' } as const;
const avi = { type: 'VIDEO', mime_type: 'video/vnd.avi', filename: 'film.avi' } as const;

const findRun = async ({ id }: MediaItemRow, name: string) =>
  (await listRuns(deps.db, id)).find(({ component }) => component === name);

const readVideo = async (key: string | null) => {
  await using file = await deps.objects.file(key ?? '', deps.scratchDirectory);
  const { isPlayable, width, height } = await getItemDeps(deps, user.id).decoders.renderVideo(file.path);
  return [isPlayable, width, height];
};

test('uses a playable video as its own preview, with a poster and a duration', async () => {
  const item = await worker.process(await worker.store(await makeClip(picture), mp4));
  assert.deepEqual(
    [item.status, item.preview_key, item.poster_key],
    ['READY', originalKey(user.id, item.id), posterKey(user.id, item.id, getComponentVersion('PREVIEW_THUMBNAIL'))],
  );
  assert.deepEqual([item.width_px, item.height_px, item.duration_s, item.fps], [320, 240, 0.2, 25]);
  assert.equal(await findRun(item, 'TRANSCODE'), undefined);
});

test('records the upright size of a rotated video', async () => {
  const item = await worker.process(await worker.store(await makeClip(picture, { degrees: 90 }), mp4));
  assert.deepEqual([item.width_px, item.height_px], [240, 320]);
});

test('makes an unplayable video READY at once, and adds a playable copy later', async () => {
  const stored = await worker.store(await makeTestVideo({ seed: 901, frames: 10, width: 320, height: 240 }), avi);
  await runItem(deps, 'video', components, { mediaItemId: stored.id });
  const shown = await getMediaItem(deps.db, user.id, stored.id);
  assert.deepEqual([shown.status, shown.preview_key], ['READY', null]);
  const done = await worker.process(stored);
  assert.equal(done.preview_key, previewKey(user.id, done.id, getComponentVersion('TRANSCODE'), 'mp4'));
  assert.deepEqual(await readVideo(done.preview_key), [true, 320, 240]);
});

test('makes a copy without metadata of a shared playable video', async () => {
  const film = await makeClip(picture, { metadata: { title: 'Secret' } });
  const item = await worker.process(await worker.store(film, mp4));
  const album = await insertAlbum(deps.db, user.id, { name: 'A', description: null, isShared: true, isHidden: false });
  await addToCollection(deps.db, user.id, album, [item.id]);
  assert.deepEqual(await requestSharedVideos(deps.db, [item.id]), [item.id]);
  const shared = await worker.process(item);
  assert.equal(shared.shared_video_key, sharedVideoKey(user.id, item.id, getComponentVersion('TRANSCODE')));
  assert.deepEqual(await readVideo(shared.shared_video_key), [true, 320, 240]);
  const bytes = await Array.fromAsync(await deps.objects.open(shared.shared_video_key ?? ''));
  assert.ok(film.includes('Secret') && !Buffer.concat(bytes).includes('Secret'));
});

test('fails a truncated video, and bytes that are not a video, as CORRUPT', async () => {
  const whole = await makeClip(picture);
  for (const bytes of [
    whole.subarray(0, whole.length >> 1),
    Buffer.concat([whole.subarray(0, 64), Buffer.alloc(999)]),
  ]) {
    const item = await worker.process(await worker.store(bytes, mp4));
    assert.deepEqual([item.status, (await findRun(item, 'PREVIEW_THUMBNAIL'))?.reason], ['FAILED', 'CORRUPT']);
  }
});
