import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, suite, test } from 'node:test';
import { promisify } from 'node:util';
import { missingTool, toolPath } from '@hearth/testkit/run/tools.ts';
import { Demuxer } from 'node-av/api';
import sharp from 'sharp';
import { makeVideo } from '@hearth/testkit/media/makeVideo.ts';
import { drawPhoto } from '@hearth/testkit/media/testPhotos.ts';
import { transcodeVideo, type TranscodedVideo, type TranscodeOptions } from './transcodeVideo.ts';

const folder = await mkdtemp(join(tmpdir(), 'hearth-transcode-'));
const results = join(folder, 'results');
const target = join(results, 'film.mp4');
const film = join(folder, 'film.mkv');
const drawing = await sharp(await drawPhoto(320, 240))
  .png()
  .toBuffer();
const pictures = Array.from({ length: 500 }, () => drawing);
await makeVideo(film, { pictures, encoder: 'mpeg4', sounds: [{ encoder: 'ac3' }] });

const transcode = (path: string, options: Partial<TranscodeOptions> = {}): Promise<TranscodedVideo> =>
  transcodeVideo(path, target, {
    maxPixels: 150e6,
    onProgress: () => {},
    signal: new AbortController().signal,
    ...options,
  });

suite('transcoding a video', () => {
  beforeEach(async () => {
    await rm(results, { recursive: true, force: true });
    await mkdir(results);
  });
  after(() => rm(folder, { recursive: true }));

  test('runs at the lowest priority, stops at once when cancelled, and leaves nothing behind', async () => {
    const cancelling = new AbortController();
    const niceValues: number[] = [];
    const onProgress = (fraction: number): void => {
      assert.ok(fraction >= 0 && fraction < 1);
      niceValues.push(...transcodingChildren().map((pid) => getPriority(pid)));
      cancelling.abort(new Error('enough'));
    };
    await assert.rejects(transcode(film, { onProgress, signal: cancelling.signal }), { message: 'enough' });
    assert.deepEqual(niceValues, [19]);
    assert.deepEqual([transcodingChildren(), await readdir(results)], [[], []]);
  });

  test('does not start if already cancelled', async () => {
    await assert.rejects(transcode(film, { signal: AbortSignal.abort(new Error('never')) }), { message: 'never' });
  });

  const failures: Readonly<Record<string, [Partial<TranscodeOptions>, object]>> = {
    'stops a child that reports no progress': [{ stallMs: 1 }, { code: 'TIMED_OUT', message: /No progress/ }],
    'multiplies the time without progress by the timeout factor': [
      { stallMs: 1, timeoutFactor: 2 },
      { code: 'TIMED_OUT', message: /for 0.002 seconds/ },
    ],
    'stops a child that takes too long': [{ maxMs: 1 }, { code: 'TIMED_OUT', message: /took longer than/ }],
    'stops a child that uses too much memory': [{ memoryLimitBytes: 90e6 }, { code: 'OUT_OF_MEMORY' }],
    'rejects a video with too many pixels': [{ maxPixels: 1_000 }, { code: 'TOO_LARGE' }],
  };
  for (const [what, [options, expected]] of Object.entries(failures)) {
    test(`${what}, and leaves nothing behind`, async () => {
      await assert.rejects(transcode(film, options), { name: 'DecodeError', ...expected });
      assert.deepEqual(await readdir(results), []);
    });
  }

  test('rejects a file that is not a video', async () => {
    const path = join(folder, 'noise.mp4');
    await writeFile(path, Buffer.alloc(10_000, 'no video'));
    await assert.rejects(transcode(path), { code: 'CORRUPT', message: /^The file is damaged: no video/ });
    assert.deepEqual(await readdir(results), []);
  });

  test('throws NoSpaceError on a full disk', { skip: missingTool('bwrap') }, async () => {
    const program = `
      import { transcodeVideo } from ${JSON.stringify(new URL('transcodeVideo.ts', import.meta.url).href)};
      const options = { maxPixels: 1e6, onProgress: () => {}, signal: new AbortController().signal };
      const made = transcodeVideo(${JSON.stringify(film)}, ${JSON.stringify(target)}, options);
      console.log(await made.then(() => 'made', ({ name }) => name));`;
    const node = [process.execPath, '--input-type=module', '--eval', program];
    const disk = ['--dev-bind', '/', '/', '--size', '16384', '--tmpfs', results];
    const { stdout } = await promisify(execFile)(toolPath('bwrap'), [...disk, '--', ...node]);
    assert.equal(stdout.trim(), 'NoSpaceError');
  });

  test('does not trust a child that reports a full disk: the attempt counts', async () => {
    await symlink('/dev/full', target);
    await assert.rejects(transcode(film), { name: 'Error', message: /could not be written/ });
    assert.deepEqual(await readdir(results), []);
  });

  test('throws if the target folder is missing', async () => {
    await rm(results, { recursive: true });
    await assert.rejects(transcode(film), { name: 'Error', message: /could not be written/ });
  });

  test('leaves out audio with an unknown codec, with a warning', async () => {
    const path = join(folder, 'unknown-sound.mp4');
    await makeVideo(path, { pictures: pictures.slice(0, 10), encoder: 'libx264', sounds: [{ encoder: 'ac3' }] });
    const bytes = await readFile(path);
    bytes.write('wxyz', bytes.indexOf('ac-3'), 'latin1');
    await writeFile(path, bytes);
    assert.deepEqual(await transcode(path), { warnings: ['SOUND_UNREADABLE'] });
    assert.equal((await readFile(target)).includes('mp4a'), false);
  });

  test('keeps all audio of a file that changes from mono to stereo', async () => {
    const parts = await Promise.all(
      ([1, 2] as const).map(async (channels) => {
        const path = join(folder, `${channels}.ts`);
        await makeVideo(path, {
          pictures: pictures.slice(0, 27),
          encoder: 'mpeg2video',
          sounds: [{ encoder: 'mp2', channels }],
        });
        return readFile(path);
      }),
    );
    const path = join(folder, 'changing.ts');
    await writeFile(path, Buffer.concat(parts));
    assert.deepEqual(await transcode(path), { warnings: [] });
    const seconds = await soundSeconds(target);
    assert.ok(Math.abs(seconds - 2.16) < 0.1, `${seconds} s`);
  });

  test('keeps audio that contains NaN samples', async () => {
    const path = join(folder, 'nan.mov');
    await makeVideo(path, { pictures: pictures.slice(0, 25), encoder: 'libx264', sounds: [{ encoder: 'pcm_f32le' }] });
    const [crest, nan] = [Buffer.alloc(4), Buffer.alloc(4)];
    crest.writeFloatLE(0.2 * Math.sin((2 * Math.PI * 440 * 27) / 48_000));
    nan.writeFloatLE(Number.NaN);
    const bytes = await readFile(path, 'latin1');
    const damaged = bytes.replaceAll(crest.toString('latin1'), nan.toString('latin1'));
    assert.notEqual(damaged, bytes);
    await writeFile(path, damaged, 'latin1');
    assert.deepEqual(await transcode(path), { warnings: [] });
    assert.ok(Math.abs((await soundSeconds(target)) - 1) < 0.1);
  });

  test('rejects a video with a frame too long for MP4 as CORRUPT', async () => {
    const path = join(folder, 'hours.mkv');
    const times = [0, 40, 7 * 3_600_000];
    await makeVideo(path, { pictures: pictures.slice(0, 3), encoder: 'mjpeg', pixels: 'yuvj420p', times });
    await assert.rejects(transcode(path), { code: 'CORRUPT', message: /cannot be written to MP4/ });
    assert.deepEqual(await readdir(results), []);
  });

  test('transcodes the intact part of a truncated video, with a warning', async () => {
    const path = join(folder, 'cut.mp4');
    const muxer = { movflags: '+faststart' };
    await makeVideo(path, { pictures: pictures.slice(0, 50), encoder: 'libx264', options: { g: 5 }, muxer });
    await writeFile(path, (await readFile(path)).subarray(0, -2_000));
    assert.deepEqual(await transcode(path), { warnings: ['DAMAGED'] });
  });

  test('warns about a video much shorter than its stated duration, even if the file does not state its size', async () => {
    const [mkv, avi] = [join(folder, 'short.mkv'), join(folder, 'short.avi')];
    await writeFile(mkv, await readFile(film));
    await makeVideo(avi, { pictures: pictures.slice(0, 100), encoder: 'mjpeg', pixels: 'yuvj420p' });
    for (const path of [mkv, avi]) assert.deepEqual(await transcode(path), { warnings: [] });
    await truncateWithoutSize(mkv, (bytes) => {
      const size = bytes.indexOf('18538067', 'hex') + 5;
      bytes.fill(0xff, size, size + 7);
    });
    await truncateWithoutSize(avi, (bytes) => bytes.writeUInt32LE(0, 4));
    for (const path of [mkv, avi]) assert.deepEqual(await transcode(path), { warnings: ['DAMAGED'] });
  });
});

/** Truncates a video to a third, and removes the file size from its header. */
const truncateWithoutSize = async (path: string, removeSize: (bytes: Buffer) => void): Promise<void> => {
  const bytes = await readFile(path);
  removeSize(bytes);
  await writeFile(path, bytes.subarray(0, bytes.length / 3));
};

/** Returns the duration of the audio of a file, in seconds. */
async function soundSeconds(path: string): Promise<number> {
  await using file = await Demuxer.open(path);
  const { duration, timeBase } = file.audio()!;
  return (Number(duration) * timeBase.num) / timeBase.den;
}

/** Returns the pids of the transcoding children of this process. */
function transcodingChildren(): number[] {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ').map(Number);
  return children.filter((pid) => pid > 0 && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('transcodeChild'));
}
