/**
 * The child program of `npm run bench:formats`: renders each given file five times in a warm decoder and prints its CPU
 * and peak memory as one line of JSON.
 * RAW files include the CPU of exiftool. For HEIC it also measures the pixel decode of libheif-js alone, and for video
 * the transcoding, which starts a process each time.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPhotoFormat } from '@hearth/worker/media/formats/photoFormat.ts';
import { renderStill } from '@hearth/worker/media/previews/renderStill.ts';
import { transcodeVideo } from '@hearth/worker/media/transcode/transcodeVideo.ts';
import { openTestDecoders, openTestExiftool } from '@hearth/testkit/decoders/testDecoders.ts';

const rounds = 5;
const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
const scratchDirectory = await mkdtemp(join(tmpdir(), 'hearth-measure-'));
const measured = [];
for (const path of process.argv.slice(2)) {
  const decoders = openTestDecoders({ size: 1, timeoutMs: 60_000, memoryLimitBytes: 2e9, maxPixels: 150e6 });
  const exiftool = await openTestExiftool({ timeoutMs: 60_000, maxProcs: 1 });
  const pids = (): number[] => [...decoders.childPids(), ...exiftool.childPids()];
  // The first run loads the decoders.
  const format = await findPhotoFormat(path);
  const render = async (): Promise<unknown> =>
    format === undefined ? decoders.renderVideo(path) : renderStill(path, { decoders, exiftool, scratchDirectory });
  await render();
  const before = cpuSeconds(pids());
  for (let round = 0; round < rounds; round += 1) await render();
  const cpuMs = ((cpuSeconds(pids()) - before) * 1_000) / rounds;
  const peak = peakBytes(decoders.childPids());
  await Promise.all([decoders.close(), exiftool.end()]);
  const libheifMs = format === 'heif' ? await measureLibheif(path) : undefined;
  const transcoding = format === undefined ? await measureTranscoding(path) : undefined;
  measured.push({ path, format: format ?? 'video', cpuMs, libheifMs, transcoding, peakBytes: peak });
}
await rm(scratchDirectory, { recursive: true });
process.stdout.write(`${JSON.stringify(measured)}\n`);

/** Returns the CPU time of one libheif-js decode, in ms. */
async function measureLibheif(path: string): Promise<number> {
  const { HeifDecoder } = (await import('libheif-js/wasm-bundle.js')).default;
  const decode = async (): Promise<void> => {
    const images = new HeifDecoder().decode(readFileSync(path));
    const image = images.find((each) => each.is_primary())!;
    const [width, height] = [image.get_width(), image.get_height()];
    const data = new Uint8ClampedArray(4 * width * height);
    await new Promise((resolve) => image.display({ data, width, height }, resolve));
    for (const each of images) each.free();
  };
  await decode();
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round += 1) await decode();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / rounds;
}

/** Measures the CPU of transcoding a video, including the start of its process, and its peak memory. */
async function measureTranscoding(path: string): Promise<{ cpuMs: number; peakBytes: number }> {
  const target = join(scratchDirectory, 'transcoded.mp4');
  let peak = 0;
  const watch = setInterval(() => {
    const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ').map(Number);
    peak = Math.max(peak, peakBytes(children.filter((pid) => pid > 0)));
  }, 20);
  const before = readEndedChildrenCpu();
  for (let round = 0; round < rounds; round += 1) {
    const signal = new AbortController().signal;
    await transcodeVideo(path, target, { maxPixels: 150e6, onProgress: () => {}, signal });
  }
  clearInterval(watch);
  return { cpuMs: ((readEndedChildrenCpu() - before) * 1_000) / rounds, peakBytes: peak };
}

/** Reads fields 16 and 17 of /proc/self/stat (cutime, cstime): the CPU time of ended children. */
function readEndedChildrenCpu(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
}

/** Sums fields 14 and 15 of /proc/PID/stat (utime, stime). Field 2 may contain spaces, so it is cut first (proc(5)). */
function cpuSeconds(pids: readonly number[]): number {
  const ticks = pids.flatMap((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return [Number(fields[11]), Number(fields[12])];
  });
  return ticks.reduce((sum, count) => sum + count, 0) / ticksPerSecond;
}

function peakBytes(pids: readonly number[]): number {
  const peaks = pids.map((pid) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0));
  return Math.max(...peaks) * 1024;
}
