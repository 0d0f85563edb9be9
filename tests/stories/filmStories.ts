import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { MediaItem } from '@hearth/contract/mediaItem.ts';
import { expectFile } from './expectAnswer.ts';
import { makeLivePhoto } from './makeLivePhoto.ts';
import { makeMovie } from './makeMovie.ts';
import type { Story } from './story.ts';

/** Stories about videos and photos with motion. */
export const filmStories: readonly Story[] = [
  {
    name: 'a video that no browser plays is made into one that every browser plays, and is read in parts',
    ffmpeg: 'with',
    play: async ({ newPerson }) => {
      const person = await newPerson();
      const id = await person.upload({ filename: 'film.mov', bytes: await makeMovie({ seed: 61, frames: 50 }) });
      const { mediaItemType, durationSeconds, posterUrl, thumbnailUrl } = await person.untilReady(id);
      assert.deepEqual([mediaItemType, durationSeconds], ['VIDEO', 2]);
      await expectFile(person.open(posterUrl), /^image\//, 'the poster');
      await expectFile(person.open(thumbnailUrl), /^image\//, 'the thumbnail');
      const { previewUrl } = await person.untilItem(id, 'can be played', (item) => item.previewUrl !== undefined);
      const whole = await expectFile(person.open(previewUrl), /^video\/mp4/, 'the video');
      const part = await person.open(previewUrl, { Range: 'bytes=100-299' });
      assert.equal(part.status, 206);
      assert.equal(part.headers.get('content-range'), `bytes 100-299/${whole.length}`);
      assert.deepEqual(Buffer.from(await part.arrayBuffer()), whole.subarray(100, 300));
      const beyond = await person.open(previewUrl, { Range: `bytes=${whole.length}-` });
      assert.equal(beyond.status, 416);
      const known = await person.open(previewUrl, { 'If-None-Match': part.headers.get('etag') ?? '' });
      assert.equal(known.status, 304);
    },
  },
  {
    name: 'the two files of a Live Photo are one photo that moves',
    ffmpeg: 'with',
    play: async ({ newPerson }) => {
      const person = await newPerson();
      const contentIdentifier = randomUUID().toUpperCase();
      const movie = await makeMovie({ seed: 62, frames: 25, contentIdentifier });
      await person.upload({ filename: 'IMG_0062.MOV', bytes: movie });
      const photo = await makeLivePhoto(63, contentIdentifier);
      const id = await person.upload({ filename: 'IMG_0062.JPG', bytes: photo });
      const item = await person.untilItem(id, 'moves', ({ motionUrl }) => motionUrl !== undefined);
      assert.deepEqual([item.mediaItemType, item.mediaItemCategory], ['PHOTO', 'LIVE']);
      await expectFile(person.open(item.motionUrl), /^video\/mp4/, 'the video of a Live Photo');
      const listed = await person.askForJson<MediaItem[]>('/v1/mediaItems');
      assert.deepEqual(
        listed.map((each) => each.id),
        [id],
      );
    },
  },
  {
    name: 'a video that this installation cannot open keeps its bytes and says why it is not shown',
    ffmpeg: 'without',
    play: async ({ newPerson }) => {
      const person = await newPerson();
      const movie = await makeMovie({ seed: 64, frames: 50 });
      const id = await person.upload({ filename: 'film.mov', bytes: movie });
      const { sourceUrl } = await person.untilItem(id, 'says what is missing', ({ processing }) =>
        processing.some(({ state, reason }) => state === 'BLOCKED' && reason === 'NO_DECODER'),
      );
      assert.deepEqual(await expectFile(person.open(sourceUrl), /^video\//, 'the original'), movie);
    },
  },
];
