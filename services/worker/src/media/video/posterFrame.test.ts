import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import sharp from 'sharp';
import { makeVideo } from '@hearth/testkit/media/makeVideo.ts';
import { drawPhoto } from '@hearth/testkit/media/testPhotos.ts';
import { measureTones } from './frameTones.ts';
import { openVideo, selectStreams } from './openVideo.ts';
import { findPosterFrame } from './posterFrame.ts';
import { openStreamDecoder } from './streamDecoder.ts';

const folder = await mkdtemp(join(tmpdir(), 'hearth-poster-'));
after(() => rm(folder, { recursive: true }));

test('ends the search for a non-blank frame with the best so far when its CPU time is used up', async () => {
  const path = join(folder, 'dark.mp4');
  const drawing = await sharp(await drawPhoto(320, 240))
    .removeAlpha()
    .png()
    .toBuffer();
  const black = await sharp(drawing).linear(0, 0).png().toBuffer();
  const pictures = [...Array.from({ length: 60 }, () => black), drawing];
  await makeVideo(path, { pictures, encoder: 'libx264', options: { g: 500, 'x264-params': 'scenecut=0' } });

  const maxPixels = 1e6;
  const isBlankAfter = async (seconds: number): Promise<boolean> => {
    await using video = await openVideo(path, maxPixels);
    selectStreams(video, [video.pictures]);
    using decoder = await openStreamDecoder(video.pictures, { maxPixels });
    using frame = await findPosterFrame(video, decoder, seconds);
    return (await measureTones(frame))?.isBlank === true;
  };
  assert.equal(await isBlankAfter(0), true);
  assert.equal(await isBlankAfter(Infinity), false);
});

test('rejects frames in unknown colours, even when the CPU time of the search is used up', async () => {
  const path = join(folder, 'unknown-colours.mp4');
  const drawing = await sharp(await drawPhoto(320, 240))
    .removeAlpha()
    .png()
    .toBuffer();
  const pictures = Array.from({ length: 10 }, () => drawing);
  await makeVideo(path, {
    pictures,
    encoder: 'libx264',
    filters: 'scale=out_color_matrix=bt709,setparams=colorspace=ictcp',
  });

  const maxPixels = 1e6;
  await using video = await openVideo(path, maxPixels);
  selectStreams(video, [video.pictures]);
  using decoder = await openStreamDecoder(video.pictures, { maxPixels });
  await assert.rejects(findPosterFrame(video, decoder, 0), { code: 'CORRUPT' });
});
