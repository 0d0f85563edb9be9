import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import sharp from 'sharp';
import type { DecodeError } from '../errors/decodeError.ts';
import { computeDHash, hashDistance } from '@hearth/testkit/pictures/dHash.ts';
import { makeVideo, type TestVideo } from '@hearth/testkit/media/makeVideo.ts';
import { lacksMedia, listTestVideos, mediaFolder, type ExpectedPhoto } from '@hearth/testkit/mediaSet/mediaSet.ts';
import { drawPhoto } from '@hearth/testkit/media/testPhotos.ts';
import { testVideos } from '@hearth/testkit/media/testVideos.ts';
import type { RenderedVideo } from '../pictures/renderedPicture.ts';
import { openTestDecoders } from '@hearth/testkit/decoders/testDecoders.ts';

const decoders = openTestDecoders({ size: 1, timeoutMs: 60_000, memoryLimitBytes: 1e9, maxPixels: 150e6 });
const folder = await mkdtemp(join(tmpdir(), 'hearth-video-'));
after(async () => {
  await decoders.close();
  await rm(folder, { recursive: true });
});
const drawing = await sharp(await drawPhoto(320, 240))
  .removeAlpha()
  .png()
  .toBuffer();
const black = await sharp({ create: { width: 320, height: 240, channels: 3, background: 'black' } })
  .png()
  .toBuffer();
const drawings = Array.from({ length: 10 }, () => drawing);

const render = async (name: string, video: TestVideo): Promise<RenderedVideo> => {
  const path = join(folder, name);
  await makeVideo(path, video);
  return decoders.renderVideo(path);
};

/** Videos of the test media that all current browsers can play: 8-bit H.264 with AAC in an MP4 or MOV, intact and not mirrored. */
const playable = new Set([
  'blue-go-video.mp4',
  'earth.mov',
  'portrait_4k60.mp4',
  'sample_portrait.mp4',
  'with-gps.mov',
  'sample_android_slow_motion.mp4',
  'sample_sef_slow_motion.mp4',
  'IMG_1001.MOV',
]);

test('renders every video of the test media as expected', { skip: lacksMedia }, async () => {
  for (const { name, path, expected } of listTestVideos()) {
    const found = await decoders.renderVideo(path).catch((error: unknown) => error as DecodeError);
    await assertExpected(found, expected, name);
  }
});

async function assertExpected(found: RenderedVideo | DecodeError, expected: ExpectedPhoto, name: string) {
  if (found instanceof Error) {
    assert.equal(expected.outcome, 'FAILED', `${name}: ${found.message}`);
    assert.match(
      found.message,
      /^(The file is damaged: no video|The file has no video stream|There is no decoder)/,
      name,
    );
    return;
  }
  assert.equal(expected.outcome, 'READY', name);
  assert.deepEqual([found.width, found.height], [expected.width, expected.height], name);
  assert.deepEqual(found.warnings, expected.damaged ? ['DAMAGED'] : [], name);
  assert.equal(found.isPlayable, playable.has(basename(name)), `${name} is playable`);
  assert.ok(Math.abs(found.durationSeconds! - expected.durationSeconds!) < 0.11, `${name}: ${found.durationSeconds} s`);
  assert.ok(Math.abs(found.frameRate! / expected.fps! - 1) <= 0.02, `${name}: ${found.frameRate} frames per second`);
  const { channels } = await sharp(found.preview.bytes).stats();
  assert.ok(
    channels.some(({ stdev }) => stdev > 12),
    `${name} has a blank poster`,
  );
}

for (const [name, video] of Object.entries<TestVideo>(testVideos(drawings))) {
  test(`makes a poster that matches the frames of ${name}`, async () => {
    const poster = await render(name, video);
    assert.deepEqual([poster.width, poster.height], name.startsWith('dv.') ? [768, 576] : [320, 240]);
    assert.deepEqual([poster.warnings, poster.isPlayable], [[], name === 'h264.mp4']);
    assert.equal(poster.frameRate, 25);
    await assertColours(poster, drawing);
  });
}

for (const degrees of [90, 180, 270] as const) {
  test(`renders a video rotated by ${degrees} degrees upright`, async () => {
    const rotated = await sharp(drawing).rotate(-degrees).png().toBuffer();
    const poster = await render(`turned-${degrees}.mp4`, {
      pictures: [rotated, rotated],
      encoder: 'libx264',
      degrees,
    });
    assert.deepEqual([poster.width, poster.height], [320, 240]);
    await assertColours(poster, drawing);
  });
}

for (const [what, transfer] of Object.entries({ HLG: 'arib-std-b67', PQ: 'smpte2084' })) {
  test(`tone-maps ${what} to SDR`, async () => {
    const filters = `zscale=pin=bt709:tin=bt709:min=gbr:rin=full:t=${transfer}:p=bt2020:m=bt2020nc:r=limited:npl=203`;
    const options = { 'x265-params': 'log-level=none' };
    const video = { pictures: drawings, encoder: 'libx265', options, pixels: 'yuv420p10', filters } as const;
    await assertColours(await render(`${transfer}.mp4`, video), drawing, 12);
  });
}

test('scales non-square pixels up to square ones', async () => {
  const wide = await render('wide.mp4', { pictures: drawings, encoder: 'libx264', pixelRatio: [4, 3] });
  assert.deepEqual([wide.width, wide.height, wide.preview.width], [427, 240, 427]);
  const high = await render('high.mp4', { pictures: drawings, encoder: 'libx264', pixelRatio: [1, 2] });
  assert.deepEqual([high.width, high.height, high.preview.height], [320, 480, 480]);
});

test('uses the first non-black frame as poster', async () => {
  const options = { g: 500, 'x264-params': 'scenecut=0' };
  const pictures = [...Array.from({ length: 60 }, () => black), ...drawings];
  await assertColours(await render('dark.mp4', { pictures, encoder: 'libx264', options }), drawing);
});

test('renders a black poster for a black video', async () => {
  const poster = await render('black.mp4', { pictures: [black, black, black], encoder: 'libx264' });
  assert.ok((await sharp(poster.preview.bytes).stats()).channels.every(({ mean }) => mean < 3));
});

test('renders a video of a single frame', async () => {
  const poster = await render('single.mp4', { pictures: [drawing], encoder: 'libx264' });
  await assertColours(poster, drawing);
  assert.ok(Math.abs(poster.durationSeconds! - 0.04) < 0.001);
});

test('finds a frame of a three-hour video without reading all of it', async () => {
  const times = Array.from({ length: 1_080 }, (_, i) => i * 10_000);
  const pictures = times.map((_, i) => (i < 9 ? black : drawing));
  const options = { g: 1, preset: 'ultrafast' };
  const poster = await render('long.mkv', { pictures, times, encoder: 'libx264', options });
  assert.equal(Math.round(poster.durationSeconds! / 60), 180);
  await assertColours(poster, drawing);
});

test('renders a truncated MP4 as damaged, and rejects one without its index', async () => {
  const video = {
    pictures: Array.from({ length: 60 }, () => drawing),
    encoder: 'libx264',
    options: { g: 10 },
  } as const;
  const paths = [join(folder, 'index-first.mp4'), join(folder, 'index-last.mp4')] as const;
  await makeVideo(paths[0], { ...video, muxer: { movflags: '+faststart' } });
  await makeVideo(paths[1], video);
  for (const path of paths) await writeFile(path, (await readFile(path)).subarray(0, -4_000));
  const poster = await decoders.renderVideo(paths[0]);
  assert.deepEqual([poster.warnings, poster.isPlayable], [['DAMAGED'], false]);
  await assert.rejects(decoders.renderVideo(paths[1]), { code: 'CORRUPT', message: /no video could be read/ });
});

/** Divisor of the length to keep. A third of the Matroska file does not contain a whole picture. */
const intactParts = { '100_0306.AVI': 3, 'Sony ILCE-7M3 (A7M3).mts': 3, 'sample.mkv': 2, 'webm.webm': 3 };

for (const [name, parts] of Object.entries(intactParts)) {
  test(`renders ${name} truncated to 1/${parts} as damaged`, { skip: lacksMedia }, async () => {
    const bytes = await readFile(join(mediaFolder!, 'video', name));
    const path = join(folder, name);
    await writeFile(path, bytes.subarray(0, bytes.length / parts));
    const poster = await decoders.renderVideo(path);
    assert.deepEqual([poster.warnings, poster.isPlayable], [['DAMAGED'], false]);
  });
}

test('treats an MP4 with data after its last box as intact and playable', async () => {
  const path = join(folder, 'tail.mp4');
  await makeVideo(path, { pictures: drawings, encoder: 'libx264' });
  const bytes = await readFile(path);
  for (const tail of [Buffer.alloc(5_000), Buffer.alloc(12, 0xff), Buffer.alloc(5_000, 'tail')]) {
    await writeFile(path, Buffer.concat([bytes, tail]));
    const poster = await decoders.renderVideo(path);
    assert.deepEqual([poster.warnings, poster.isPlayable], [[], true]);
  }
});

async function assertColours(video: RenderedVideo, wanted: Buffer, tolerance = 6): Promise<void> {
  assert.ok(
    hashDistance(await computeDHash(video.preview.bytes), await computeDHash(wanted)) <= 4,
    'different picture',
  );
  const [found, expected] = await Promise.all([video.preview.bytes, wanted].map((bytes) => sharp(bytes).stats()));
  for (const [i, { mean }] of found!.channels.entries()) {
    const difference = Math.abs(mean - expected!.channels[i]!.mean);
    assert.ok(difference <= tolerance, `channel ${i} differs by ${difference.toFixed(1)}`);
  }
}
