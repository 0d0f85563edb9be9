import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { Demuxer } from 'node-av/api';
import { AV_CODEC_ID_AAC, AV_CODEC_ID_H264, AV_PIX_FMT_YUV420P, AVCOL_SPC_BT709 } from 'node-av/constants';
import sharp from 'sharp';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { makeVideo, type TestVideo } from '@hearth/testkit/media/makeVideo.ts';
import { lacksMedia, listTestVideos } from '@hearth/testkit/mediaSet/mediaSet.ts';
import { playInBrowser, type Played } from '@hearth/testkit/mediaSet/playInBrowser.ts';
import { drawPhoto } from '@hearth/testkit/media/testPhotos.ts';
import { testVideos } from '@hearth/testkit/media/testVideos.ts';
import type { RenderedVideo } from '../pictures/renderedPicture.ts';
import { transcodeVideo } from './transcodeVideo.ts';
import { openTestDecoders } from '@hearth/testkit/decoders/testDecoders.ts';

const decoders = openTestDecoders({ size: 1, timeoutMs: 60_000, memoryLimitBytes: 1e9, maxPixels: 150e6 });
const folder = await mkdtemp(join(tmpdir(), 'hearth-transcoded-'));
await mkdir(join(folder, 'results'));
after(async () => {
  await decoders.close();
  await rm(folder, { recursive: true });
});
const draw = async (width: number, height: number, count: number): Promise<Buffer[]> => {
  const drawing = await sharp(await drawPhoto(width, height))
    .removeAlpha()
    .png()
    .toBuffer();
  return Array.from({ length: count }, () => drawing);
};

/** A video and its transcoded version. */
interface Transcoded {
  readonly name: string;
  readonly target: string;
  readonly original: RenderedVideo;
  readonly isDamaged: boolean;
}

async function transcode(path: string): Promise<Transcoded> {
  const name = basename(path);
  const target = join(folder, 'results', `${name}.mp4`);
  const signal = new AbortController().signal;
  const { warnings } = await transcodeVideo(path, target, { maxPixels: 150e6, onProgress: () => {}, signal });
  return { name, target, original: await decoders.renderVideo(path), isDamaged: warnings.includes('DAMAGED') };
}

const transcodeGenerated = async (name: string, video: TestVideo): Promise<Transcoded> => {
  const path = join(folder, name);
  await makeVideo(path, video);
  return transcode(path);
};

/** Asserts codecs, structure and size of a transcoded file. */
async function assertBrowserFormat({ name, target, original, isDamaged }: Transcoded): Promise<void> {
  assert.equal(isDamaged, original.warnings.includes('DAMAGED'), `${name} is damaged`);
  const bytes = readFileSync(target);
  assert.ok(bytes.indexOf('moov') < bytes.indexOf('mdat'), `${name}: the index comes first`);
  await using file = await Demuxer.open(target);
  const { codecpar } = file.video()!;
  assert.deepEqual(
    [codecpar.codecId, codecpar.format, codecpar.profile, codecpar.colorSpace],
    [AV_CODEC_ID_H264, AV_PIX_FMT_YUV420P, 100, AVCOL_SPC_BT709],
    name,
  );
  assert.deepEqual([codecpar.width % 2, codecpar.height % 2], [0, 0], name);
  assert.ok(Math.max(codecpar.width, codecpar.height) <= 1920, name);
  assert.ok(Math.min(codecpar.width, codecpar.height) <= 1080, name);
  assert.ok(Math.abs(codecpar.width / codecpar.height - original.width / original.height) < 0.02, name);
  assert.ok(Math.abs(file.duration - original.durationSeconds!) < 0.11, `${name}: ${file.duration} s`);
  assert.ok(file.startTime < 0.001, `${name} starts late`);
  assert.equal(file.audio()?.codecpar.codecId ?? AV_CODEC_ID_AAC, AV_CODEC_ID_AAC, name);
  assert.doesNotMatch(JSON.stringify(file.metadata), /location|comment|title/i, name);
}

async function assertPlays({ name, original }: Omit<Transcoded, 'isDamaged'>, played: Played): Promise<void> {
  assert.equal(played.fault, undefined, name);
  assert.ok(played.isMoving, `${name} does not move`);
  assert.ok(Math.abs(played.width / played.height - original.width / original.height) < 0.02, name);
  assert.ok(Math.abs(played.seconds - original.durationSeconds!) < 0.11, `${name}: ${played.seconds} s`);
  assert.ok(Math.abs(played.soughtTo - played.seconds / 2) < 0.01, name);
  const { channels } = await sharp(original.preview.bytes).stats();
  for (const [i, value] of played.colour.entries()) {
    const difference = Math.abs(value - channels[i]!.mean);
    assert.ok(difference < 15, `${name}: channel ${i} differs from the poster by ${difference.toFixed(0)}`);
  }
}

test(
  'makes the unplayable videos of the test media playable in browsers',
  { skip: lacksMedia || missingTool('chromium') },
  async () => {
    const [generated, originals]: [Transcoded[], Omit<Transcoded, 'isDamaged'>[]] = [[], []];
    for (const { path, expected } of listTestVideos()) {
      if (expected.outcome === 'FAILED') continue;
      const original = await decoders.renderVideo(path);
      if (original.isPlayable) originals.push({ name: basename(path), target: path, original });
      else generated.push(await transcode(path));
    }
    assert.deepEqual([generated.length, originals.length], [12, 8]);
    for (const each of generated) await assertBrowserFormat(each);
    const played = await playInBrowser([...generated, ...originals].map(({ target }) => target));
    for (const [i, each] of [...generated, ...originals].entries()) await assertPlays(each, played[i]!);
  },
);

test(
  'makes every container, codec and picture layout playable in browsers',
  { skip: missingTool('chromium') },
  async () => {
    const pictures = await draw(320, 240, 25);
    const hdr = 'zscale=pin=bt709:tin=bt709:min=gbr:rin=full:t=smpte2084:p=bt2020:m=bt2020nc:r=limited:npl=203';
    const x265 = { encoder: 'libx265', options: { 'x265-params': 'log-level=none' }, pixels: 'yuv420p10' } as const;
    const generated: Transcoded[] = [];
    for (const [name, video] of Object.entries<TestVideo>({
      ...testVideos(pictures),
      'turned.mov': { pictures, encoder: 'mpeg4', degrees: 90 },
      'odd.mkv': { pictures: await draw(321, 241, 10), encoder: 'libx264', pixels: 'yuv444p' },
      'wide.mkv': { pictures, encoder: 'mpeg4', pixelRatio: [16, 11] },
      'large.mkv': { pictures: await draw(2_560, 1_440, 5), encoder: 'mpeg4' },
      'hdr.mp4': { pictures, ...x265, filters: hdr },
      'short.mkv': { pictures: pictures.slice(0, 5), encoder: 'mpeg4', sounds: [{ encoder: 'ac3' }] },
      'single.mkv': { pictures: pictures.slice(0, 1), encoder: 'mpeg4' },
    })) {
      generated.push(await transcodeGenerated(name, video));
    }
    for (const each of generated) await assertBrowserFormat(each);
    const played = await playInBrowser(generated.map(({ target }) => target));
    for (const [i, each] of generated.entries()) {
      await assertPlays(each, played[i]!);
      assert.equal(played[i]!.hasSound, hasSound(each), `${each.name}: sound`);
    }
  },
);

const hasSound = ({ name }: Transcoded): boolean =>
  !/^(hevc|mjpeg|mpeg4\.|dv\.dv|mpeg2\.mxf|turned|odd|wide|large|hdr|single)/.test(name);

test('keeps the time of each frame, and reduces high frame rates', async () => {
  const times = [0, 40, 520, 540, 1_500, 2_600];
  const varied = await transcodeGenerated('varied.mkv', { pictures: await draw(160, 120, 6), times, encoder: 'mpeg4' });
  assert.deepEqual(await listFrameTimes(varied.target), times);
  const pictures = await draw(160, 120, 240);
  const fast = await transcodeGenerated('fast.mp4', { pictures, framesPerSecond: 240, encoder: 'mpeg4' });
  const kept = await listFrameTimes(fast.target);
  assert.equal(kept.length, 60);
  assert.ok(kept.every((time, i) => Math.abs(time - (i * 1_000) / 60) <= 1));
});

test('plays concatenated recordings one after the other, with their sound', async () => {
  const [single, joined] = [join(folder, 'single.ts'), join(folder, 'joined.ts')];
  const pictures = await draw(160, 120, 50);
  await makeVideo(single, { pictures, encoder: 'libx264', format: 'mpegts', sounds: [{ encoder: 'ac3' }] });
  const bytes = readFileSync(single);
  writeFileSync(joined, Buffer.concat([bytes, bytes]));
  const { target } = await transcode(joined);
  assert.equal((await listFrameTimes(target)).length, 100);
  await using file = await Demuxer.open(target);
  for (const { duration, timeBase } of [file.video()!, file.audio()!]) {
    const seconds = (Number(duration) * timeBase.num) / timeBase.den;
    assert.ok(Math.abs(seconds - 4) < 0.15, `${seconds} s`);
  }
});

test('removes all metadata, including the creation time, which would reveal the time zone', async () => {
  const metadata = {
    creation_time: '2019-07-24T08:25:57.000000Z',
    location: '+32.0929+034.8620/',
    title: 'Our garden',
  };
  const { target } = await transcodeGenerated('metadata.mov', {
    pictures: await draw(160, 120, 5),
    encoder: 'prores_ks',
    pixels: 'yuv422p10',
    metadata,
  });
  await using file = await Demuxer.open(target);
  assert.doesNotMatch(JSON.stringify(file.metadata), /32\.0929|garden|2019/);
});

/** Returns the times of the frames of a file, in ms. */
async function listFrameTimes(path: string): Promise<number[]> {
  await using file = await Demuxer.open(path);
  const stream = file.video()!;
  const times: number[] = [];
  for await (const packet of file.packets(stream.index)) {
    if (packet === null) break;
    using owned = packet;
    times.push(Math.round((Number(owned.pts) * 1_000 * stream.timeBase.num) / stream.timeBase.den));
  }
  return times.toSorted((a, b) => a - b);
}
