import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { MediaItem } from '@hearth/contract/mediaItem.ts';
import { expectFile } from './expectResponse.ts';
import { makeLivePhoto } from './makeLivePhoto.ts';
import { makeStoryVideo } from './makeStoryVideo.ts';
import type { Story } from './story.ts';

/** Stories about videos and photos with motion. */
export const videoStories: readonly Story[] = [
  {
    name: 'a video that browsers cannot play is transcoded and served in ranges',
    ffmpeg: 'with',
    play: async ({ createUser }) => {
      const user = await createUser();
      const id = await user.upload({ filename: 'film.mov', bytes: await makeStoryVideo({ seed: 61, frames: 50 }) });
      const { mediaItemType, durationSeconds, posterUrl, thumbnailUrl } = await user.waitUntilReady(id);
      assert.deepEqual([mediaItemType, durationSeconds], ['VIDEO', 2]);
      await expectFile(user.open(posterUrl), /^image\//, 'the poster');
      await expectFile(user.open(thumbnailUrl), /^image\//, 'the thumbnail');
      const { previewUrl } = await user.waitForItem(id, 'is playable', (item) => item.previewUrl !== undefined);
      const whole = await expectFile(user.open(previewUrl), /^video\/mp4/, 'the video');
      const part = await user.open(previewUrl, { Range: 'bytes=100-299' });
      assert.equal(part.status, 206);
      assert.equal(part.headers.get('content-range'), `bytes 100-299/${whole.length}`);
      assert.deepEqual(Buffer.from(await part.arrayBuffer()), whole.subarray(100, 300));
      const beyond = await user.open(previewUrl, { Range: `bytes=${whole.length}-` });
      assert.equal(beyond.status, 416);
      const known = await user.open(previewUrl, { 'If-None-Match': part.headers.get('etag') ?? '' });
      assert.equal(known.status, 304);
    },
  },
  {
    name: 'the two files of a Live Photo become one photo with motion',
    ffmpeg: 'with',
    play: async ({ createUser }) => {
      const user = await createUser();
      const contentIdentifier = randomUUID().toUpperCase();
      const movie = await makeStoryVideo({ seed: 62, frames: 25, contentIdentifier });
      await user.upload({ filename: 'IMG_0062.MOV', bytes: movie });
      const photo = await makeLivePhoto(63, contentIdentifier);
      const id = await user.upload({ filename: 'IMG_0062.JPG', bytes: photo });
      const item = await user.waitForItem(id, 'has motion', ({ motionUrl }) => motionUrl !== undefined);
      assert.deepEqual([item.mediaItemType, item.mediaItemCategory], ['PHOTO', 'LIVE']);
      await expectFile(user.open(item.motionUrl), /^video\/mp4/, 'the video of a Live Photo');
      const listed = await user.requestJson<MediaItem[]>('/v1/mediaItems');
      assert.deepEqual(
        listed.map((each) => each.id),
        [id],
      );
    },
  },
  {
    name: 'without FFmpeg, a video keeps its original and reports why it is not shown',
    ffmpeg: 'without',
    play: async ({ createUser }) => {
      const user = await createUser();
      const movie = await makeStoryVideo({ seed: 64, frames: 50 });
      const id = await user.upload({ filename: 'film.mov', bytes: movie });
      const { sourceUrl } = await user.waitForItem(id, 'reports the missing decoder', ({ processing }) =>
        processing.some(({ state, reason }) => state === 'BLOCKED' && reason === 'NO_DECODER'),
      );
      assert.deepEqual(await expectFile(user.open(sourceUrl), /^video\//, 'the original'), movie);
    },
  },
];
