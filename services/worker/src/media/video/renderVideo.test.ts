import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import sharp from 'sharp';
import { openDecoderPool } from '../decoderPool.ts';
import { lacksMedia, mediaFolder } from '../testing/mediaSet.ts';
import { renderVideo } from './renderVideo.ts';

const decoders = openDecoderPool({ size: 1, timeoutMs: 60_000, memoryLimitBytes: 1e9, maxPixels: 150e6 });
after(() => decoders.close());

test('the poster of a turned MP4 stands upright and is not black', { skip: lacksMedia }, async () => {
  const video = await renderVideo(join(mediaFolder!, 'video/portrait_4k60.mp4'), { decoders });
  assert.deepEqual([video.width, video.height, video.warnings], [2160, 3840, []]);
  assert.deepEqual([video.preview.width, video.preview.height, video.preview.extension], [810, 1440, 'jpg']);
  assert.ok((await sharp(video.preview.bytes).stats()).channels.every(({ mean }) => mean > 30));
});
