import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { unblockRuns } from '@hearth/core/runs/blockedRuns.ts';
import { listRuns } from '@hearth/core/runs/componentRuns.ts';
import { insertAlbum } from '@hearth/api/features/albums/queries.ts';
import { addToCollection } from '@hearth/api/lists/collections.ts';
import { getMediaItem } from '@hearth/core/items/mediaItems.ts';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import { motionKey, originalKey, posterKey, previewKey, sharedVideoKey } from '@hearth/core/objects/keys.ts';
import { clipVersion, getComponentVersion } from '@hearth/core/config/pipeline.ts';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { components } from '../../pipeline/components.ts';
import { makeClip } from '@hearth/testkit/media/makeVideo.ts';
import { lacksMedia, mediaFolder } from '@hearth/testkit/mediaSet/mediaSet.ts';
import { getItemDeps } from '../../context/deps.ts';
import { runItem } from '../../pipeline/runPool.ts';
import { openTestWorker } from '@hearth/testkit/worker/testWorker.ts';
import { requestSharedVideos } from '@hearth/api/features/sharing/queries.ts';

const worker = await openTestWorker();
after(async () => {
  const remaining = (await readdir(worker.deps.scratchDirectory)).filter((name) => name.startsWith('transcode'));
  await worker[Symbol.asyncDispose]();
  assert.deepEqual(remaining, [], 'no scratch file is left');
});
const { deps, user } = worker;

const readMedia = async (name: string): Promise<Buffer> => readFile(join(mediaFolder ?? '', name));
const storeVideo = async (name: string, mime_type = 'video/mp4'): Promise<MediaItemRow> =>
  worker.store(await readMedia(name), { mime_type, type: 'VIDEO', filename: 'clip.mp4' });
const findRun = async ({ id }: MediaItemRow, name: string) =>
  (await listRuns(deps.db, id)).find(({ component }) => component === name);
const renderStored = async (key: string | null) => {
  await using file = await deps.objects.file(key ?? '', deps.scratchDirectory);
  return await getItemDeps(deps, user.id).decoders.renderVideo(file.path);
};
const version = getComponentVersion('TRANSCODE');
const getSize = async (key: string | null): Promise<number> => (await deps.objects.stat(key ?? '')).sizeBytes;

/** Adds the item to a shared album and requests the shared copy of the video. */
const share = async ({ id }: MediaItemRow, video: MediaItemRow) => {
  const album = await insertAlbum(deps.db, user.id, { name: 'A', description: null, isShared: true, isHidden: false });
  await addToCollection(deps.db, user.id, album, [id]);
  return requestSharedVideos(deps.db, [video.id]);
};

suite('videos of the test media', { skip: lacksMedia }, () => {
  test('makes a playable copy of a shared video that browsers can play', async () => {
    const item = await worker.process(await storeVideo('video/with-gps.mov', 'video/quicktime'));
    assert.equal(item.preview_key, originalKey(user.id, item.id));
    assert.deepEqual(await share(item, item), [item.id]);
    const shared = await worker.process(item);
    assert.deepEqual(
      [shared.preview_key, shared.shared_video_key],
      [item.preview_key, sharedVideoKey(user.id, item.id, version)],
    );
    assert.deepEqual(
      [shared.preview_bytes, shared.poster_bytes, shared.shared_video_bytes],
      [null, await getSize(shared.poster_key), await getSize(shared.shared_video_key)],
    );
    const [copy, original] = [await renderStored(shared.shared_video_key), await renderStored(item.preview_key)];
    assert.deepEqual(
      [copy.isPlayable, copy.width, copy.height, copy.durationSeconds?.toFixed(1)],
      [true, original.width, original.height, original.durationSeconds?.toFixed(1)],
    );
  });

  test('makes a copy of the video of a shared Live Photo', async () => {
    const video = await worker.process(await storeVideo('live-photo/IMG_1001.MOV', 'video/quicktime'));
    const photo = await worker.store(await readMedia('live-photo/IMG_1001.HEIC'), { mime_type: 'image/heic' });
    assert.equal((await worker.process(photo)).motion_key, originalKey(user.id, video.id));
    assert.deepEqual(await share(photo, video), [video.id]);
    await worker.process(video);
    assert.equal(
      (await getMediaItem(deps.db, user.id, photo.id)).shared_video_key,
      sharedVideoKey(user.id, video.id, version),
    );
    // The test below stores the same files again.
    await deps.db.deleteFrom('media_items').where('id', 'in', [photo.id, video.id]).execute();
  });

  test('uses a playable video as its own preview, with a poster, and does not transcode it', async () => {
    const item = await worker.process(await storeVideo('video/blue-go-video.mp4'));
    assert.equal(item.status, 'READY');
    assert.equal(item.preview_key, originalKey(user.id, item.id));
    assert.equal(item.poster_key, posterKey(user.id, item.id, getComponentVersion('PREVIEW_THUMBNAIL')));
    assert.deepEqual([item.width_px, item.height_px], [270, 480]);
    assert.equal(await findRun(item, 'TRANSCODE'), undefined);
  });

  test('makes an unplayable video READY at once, and playable after the transcode', async () => {
    const stored = await storeVideo('video/h265_with_metadata_track.mp4');
    await runItem(deps, 'video', components, { mediaItemId: stored.id });
    const shown = await getMediaItem(deps.db, user.id, stored.id);
    assert.deepEqual([shown.status, shown.preview_key], ['READY', null]);
    assert.equal((await findRun(shown, 'TRANSCODE'))?.state, 'PENDING');
    assert.equal(await deps.queues.depth('transcode'), 1, 'enqueued for transcoding');

    const done = await worker.process(stored);
    assert.equal(done.preview_key, previewKey(user.id, done.id, version, 'mp4'));
    assert.deepEqual([done.width_px, done.height_px], [1080, 1920]);
    const { isPlayable, width, height } = await renderStored(done.preview_key);
    assert.deepEqual([isPlayable, width, height], [true, 1080, 1920]);
  });

  test('takes frame rate and duration from the decoder if exiftool finds none, and keeps them when reprocessed', async () => {
    const item = await worker.process(await storeVideo('video/Sony ILCE-7M3 (A7M3).mts', 'video/mp2t'));
    assert.deepEqual([item.fps, item.probed_fps], [null, 25]);
    assert.ok(item.duration_s !== null && item.probed_duration_s !== null);
    await deps.db.updateTable('component_runs').set({ state: 'PENDING' }).where('component', '=', 'METADATA').execute();
    const again = await worker.process(item);
    assert.deepEqual({ ...again, updated_at: item.updated_at }, item);
  });

  test('fails an audio-only file as NO_VIDEO, and a truncated one as CORRUPT', async () => {
    const audioOnly = await worker.process(await storeVideo('video/sample_audio_only.mp4'));
    assert.deepEqual(
      [audioOnly.status, (await findRun(audioOnly, 'PREVIEW_THUMBNAIL'))?.reason],
      ['FAILED', 'NO_VIDEO'],
    );
    const truncated = await worker.process(await storeVideo('corrupt/half.mov', 'video/quicktime'));
    assert.deepEqual(
      [truncated.status, (await findRun(truncated, 'PREVIEW_THUMBNAIL'))?.reason],
      ['FAILED', 'CORRUPT'],
    );
  });

  test('stores the clip of a motion photo as a playable video', async () => {
    const bytes = await readMedia('motion-photo/samsung-one-ui-6.heic');
    const item = await worker.process(await worker.store(bytes, { mime_type: 'image/heic' }));
    assert.deepEqual([item.category, item.status], ['MOTION', 'READY']);
    assert.equal(item.motion_key, motionKey(user.id, item.id, clipVersion));
    assert.equal(item.shared_video_key, item.motion_key);
    const sizeBytes = await getSize(item.motion_key);
    assert.deepEqual([item.motion_bytes, item.shared_video_bytes], [sizeBytes, sizeBytes]);
    assert.equal((await renderStored(item.motion_key)).isPlayable, true);
  });

  test('makes a motion photo with a damaged clip READY without the clip', async () => {
    const bytes = await readMedia('motion-photo/pixel-motion-photo-shortened.jpg');
    const item = await worker.process(await worker.store(bytes));
    assert.deepEqual([item.category, item.status, item.motion_key], ['MOTION', 'READY', null]);
    assert.equal((await findRun(item, 'TRANSCODE'))?.reason, 'CORRUPT');
  });

  test('pairs both files of a Live Photo to one item, and uses the video as its motion', async () => {
    const video = await storeVideo('live-photo/IMG_1001.MOV', 'video/quicktime');
    const photo = await worker.store(await readMedia('live-photo/IMG_1001.HEIC'), { mime_type: 'image/heic' });
    await worker.process(photo);
    const half = await worker.process(video);
    const shown = await getMediaItem(deps.db, user.id, photo.id);
    assert.deepEqual([shown.category, half.category, half.visibility], ['LIVE', 'LIVE', 'paired']);
    assert.equal(shown.motion_key, half.preview_key);
    assert.ok(half.preview_key);
  });
});

const storeClip = async (seed: number): Promise<MediaItemRow> =>
  worker.store(await makeClip(await makeTestPhoto({ seed, width: 320, height: 240 })), {
    mime_type: 'video/mp4',
    type: 'VIDEO',
    filename: 'clip.mp4',
  });

test('skips a transcode if a new version of PREVIEW_THUMBNAIL finds the video playable', async () => {
  const item = await worker.process(await storeClip(902));
  assert.equal(item.preview_key, originalKey(user.id, item.id));
  await deps.db
    .insertInto('component_runs')
    .values({ media_item_id: item.id, user_id: item.user_id, component: 'TRANSCODE', type: item.type, version })
    .execute();
  await worker.process(item);
  assert.equal((await findRun(item, 'TRANSCODE'))?.state, 'SKIPPED');
});

test('processes videos that waited for a decoder as soon as a worker has it', async () => {
  const item = await storeClip(903);
  await deps.db
    .updateTable('component_runs')
    .set({ state: 'BLOCKED', reason: 'NO_DECODER', blocked_on: 'decode video/mp4' })
    .where('media_item_id', '=', item.id)
    .where('component', '=', 'PREVIEW_THUMBNAIL')
    .execute();
  assert.equal((await worker.process(item)).status, 'PROCESSING');
  // The runs of PREVIEW_THUMBNAIL and OCR.
  assert.equal(await unblockRuns(deps.db, components.PREVIEW_THUMBNAIL.capabilities), 2);
  assert.equal((await worker.process(item)).status, 'READY');
});
