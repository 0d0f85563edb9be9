import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeFrozenTime, makeNestedDescriptions, metadataBombs } from '../media/makeBombs.ts';
import { mutateBytes } from '../media/mutateBytes.ts';
import { createRandom } from '../run/seededRandom.ts';
import { openConfinement } from '@hearth/worker/media/sandbox/confinement/confinement.ts';
import { DecodeError } from '@hearth/worker/media/errors/decodeError.ts';
import { readMediaTags } from '@hearth/worker/media/metadata/readMediaTags.ts';
import { renderStill, type PhotoTools } from '@hearth/worker/media/previews/renderStill.ts';
import { transcodeVideo } from '@hearth/worker/media/transcode/transcodeVideo.ts';
import { makeSampleFiles } from '../media/sampleFiles.ts';
import { makeSampleVideos } from '../media/sampleVideos.ts';
import { openTestDecoders, openTestExiftool } from './testDecoders.ts';

/** The mutations to run. */
export interface FormatFuzz {
  /** The format or video to mutate. Default: all in turn. */
  readonly only?: string | undefined;
  readonly seed: number;
  readonly first: number;
  readonly count: number;
  readonly onProgress?: (done: number) => unknown;
}

/** A mutation had a forbidden outcome. The message explains how to repeat it. */
export class FormatFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FormatFault';
  }
}

/** Timeout of a decode, and tolerance until its end is known, in ms. */
const limitMs = 20_000;
const graceMs = 60_000;

/** One of this many mutated videos is also transcoded, which needs a separate process. */
const transcodeInterval = 25;

/** Maximum memory and pixels of a decode. */
const [memoryLimitBytes, maxPixels] = [1.2e9, 150e6];

/**
 * Renders mutated files of every picture and video format, and of those with malicious metadata, and reads their metadata. Returns the number of each
 * outcome by format: `SHOWN`, `DAMAGED`, or the code of a `DecodeError`. @throws FormatFault for any other outcome, a hang, or a file left behind
 */
export async function fuzzFormats(fuzz: FormatFuzz): Promise<Map<string, Map<string, number>>> {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-fuzz-formats-'));
  const scratchDirectory = join(folder, 'scratch');
  for (const each of [scratchDirectory, join(folder, 'boxes')]) await mkdir(each);
  const size = availableParallelism();
  // The sandboxes of these children exist until the children end, and do not count as left behind.
  const confinement = await openConfinement({ dataDirectory: folder, scratchDirectory: join(folder, 'boxes') });
  const decoders = openTestDecoders({ size, timeoutMs: limitMs, memoryLimitBytes, maxPixels, confinement });
  const exiftool = await openTestExiftool({ timeoutMs: limitMs, maxProcs: 1, confinement });
  try {
    const tools = { decoders, exiftool, scratchDirectory };
    const outcomes = await runCases(fuzz, folder, tools);
    const left = await readdir(scratchDirectory);
    if (left.length > 0) throw new FormatFault(`seed ${fuzz.seed}: leftover files: ${left.join(', ')}`);
    return outcomes;
  } finally {
    await Promise.all([decoders.close(), exiftool.end()]);
    await rm(folder, { recursive: true });
  }
}

async function runCases({ seed, first, count, only, onProgress }: FormatFuzz, folder: string, tools: PhotoTools) {
  const [photos, videos] = [await makeSampleFiles(), await makeSampleVideos()];
  const bombs = makeBombs();
  const samples = { ...photos, ...videos, ...bombs } as Readonly<Record<string, Buffer>>;
  const formats = only === undefined ? Object.keys(samples) : [only];
  const others = Object.values(samples);
  const outcomes = new Map(formats.map((format) => [format, new Map<string, number>()]));
  let next = first;
  const runWorker = async (): Promise<void> => {
    for (let number = next++; number < first + count; number = next++) {
      const format = formats[number % formats.length]!;
      const path = join(folder, `${number}`);
      await writeFile(path, mutateBytes(createRandom(seed, number), samples[format]!, others));
      const isVideo = format in videos;
      const isTranscoded = isVideo && Math.floor(number / formats.length) % transcodeInterval === 0;
      const outcome = await Promise.race([
        describeOutcome(() => (isVideo ? tools.decoders.renderVideo(path) : renderStill(path, tools))),
        delay(limitMs + graceMs, 'NO END', { ref: false }),
      ]);
      const transcoded = isTranscoded ? await transcode(path, tools) : undefined;
      const read = await describeOutcome(() => readTags(path, isVideo, tools));
      await rm(path);
      if (!knownOutcomes.test(read))
        throw new FormatFault(`${format}: metadata ${read} (--seed ${seed} --case ${number})`);
      for (const each of transcoded === undefined ? [outcome] : [outcome, transcoded]) {
        if (!knownOutcomes.test(each)) throw new FormatFault(`${format}: ${each} (--seed ${seed} --case ${number})`);
      }
      const counts = outcomes.get(format)!;
      const end = transcoded === undefined ? outcome : `${outcome}/TRANSCODED ${transcoded}`;
      counts.set(end, (counts.get(end) ?? 0) + 1);
      onProgress?.(number - first + 1);
    }
  };
  // One more than there are decoders: heavy pictures have a separate one.
  const workers = await Promise.allSettled(Array.from({ length: availableParallelism() + 1 }, runWorker));
  // Waits for all, because the folder is deleted next, and further errors would hide the first.
  const failed = workers.find((worker) => worker.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return outcomes;
}

/** Parsers read the name and the date, and must skip the comment. */
function makeBombs(): Readonly<Record<string, Buffer>> {
  const bombs = {
    ...metadataBombs,
    'a frozen time': makeFrozenTime,
    // At full depth, each mutation would take as long as the timeout.
    'nested descriptions': () => makeNestedDescriptions(1_000),
  };
  return Object.fromEntries(Object.entries(bombs).map(([name, make]) => [name, make()]));
}

async function readTags(
  path: string,
  isVideo: boolean,
  { exiftool }: PhotoTools,
): Promise<{ warnings: readonly string[] }> {
  if (exiftool === undefined) return { warnings: [] };
  await readMediaTags(exiftool, path, isVideo ? 'video/mp4' : 'image/png');
  return { warnings: [] };
}

async function transcode(path: string, { scratchDirectory }: PhotoTools): Promise<string> {
  const target = join(scratchDirectory, `${basename(path)}.mp4`);
  const signal = AbortSignal.timeout(limitMs + graceMs);
  const options = { maxPixels, memoryLimitBytes, stallMs: limitMs, signal, onProgress: () => {} };
  const outcome = await describeOutcome(() => transcodeVideo(path, target, options));
  if (outcome === 'SHOWN' || outcome === 'DAMAGED' || outcome === 'SOUND_UNREADABLE') await rm(target);
  return outcome;
}

/** A decoder that crashed is replaced, and one above its limits is ended. Errors in the worker's own code are faults. */
const knownOutcomes =
  /^(SHOWN|DAMAGED|SOUND_UNREADABLE|CORRUPT|TOO_LARGE|UNSUPPORTED|NO_PIXELS|NO_VIDEO|OUT_OF_MEMORY|CRASHED|TIMED_OUT)$/;

async function describeOutcome(render: () => Promise<{ readonly warnings: readonly string[] }>): Promise<string> {
  try {
    return (await render()).warnings[0] ?? 'SHOWN';
  } catch (error) {
    const isOurs = !(error instanceof DecodeError) || error.message.includes('exit code');
    return isOurs ? String(error) : error.code;
  }
}
