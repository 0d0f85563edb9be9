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
  /** The format or video to mutate. Default: all of them. */
  readonly only?: string | undefined;
  readonly seed: number;
  /** Number of the first case. */
  readonly first: number;
  /** Number of cases. */
  readonly count: number;
  readonly onProgress?: (done: number) => unknown;
}

/** Thrown when a mutation has a forbidden outcome. The message contains the seed and case number to repeat it. */
export class FormatFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FormatFault';
  }
}

/** Timeout of a decode, and extra time until its end must be reported, in ms. */
const limitMs = 20_000;
const graceMs = 60_000;

/** One in this many mutated videos is also transcoded, because transcoding needs a separate process. */
const transcodeInterval = 25;

/** Maximum memory and pixels of a decode. */
const [memoryLimitBytes, maxPixels] = [1.2e9, 150e6];

/**
 * Renders mutated files of every picture and video format and of files with malicious metadata, and reads their metadata.
 * Returns the number of each outcome by format: `SHOWN`, a warning such as `DAMAGED`, or the code of a `DecodeError`. The
 * outcome of transcoding, if any, follows after `/TRANSCODED`.
 * @throws FormatFault for any other outcome, a hang, or a file left behind
 */
export async function fuzzFormats(fuzz: FormatFuzz): Promise<Map<string, Map<string, number>>> {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-fuzz-formats-'));
  const scratchDirectory = join(folder, 'scratch');
  for (const directory of [scratchDirectory, join(folder, 'boxes')]) await mkdir(directory);
  const size = availableParallelism();
  // The sandboxes of these children exist until the children end, and do not count as left behind.
  const confinement = await openConfinement({ dataDirectory: folder, scratchDirectory: join(folder, 'boxes') });
  const decoders = openTestDecoders({ size, timeoutMs: limitMs, memoryLimitBytes, maxPixels, confinement });
  const exiftool = await openTestExiftool({ timeoutMs: limitMs, maxProcs: 1, confinement });
  try {
    const tools = { decoders, exiftool, scratchDirectory };
    const outcomes = await runCases(fuzz, folder, tools);
    const leftovers = await readdir(scratchDirectory);
    if (leftovers.length > 0) throw new FormatFault(`seed ${fuzz.seed}: leftover files: ${leftovers.join(', ')}`);
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
      for (const code of transcoded === undefined ? [outcome] : [outcome, transcoded]) {
        if (!knownOutcomes.test(code)) throw new FormatFault(`${format}: ${code} (--seed ${seed} --case ${number})`);
      }
      const counts = outcomes.get(format)!;
      const end = transcoded === undefined ? outcome : `${outcome}/TRANSCODED ${transcoded}`;
      counts.set(end, (counts.get(end) ?? 0) + 1);
      onProgress?.(number - first + 1);
    }
  };
  // One more worker than decoders, because heavy pictures have a separate decoder.
  const workers = await Promise.allSettled(Array.from({ length: availableParallelism() + 1 }, runWorker));
  // Waits for all workers, because the folder is deleted next, and later errors would hide the first.
  const failed = workers.find((worker) => worker.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return outcomes;
}

/** Makes files with malicious metadata. Parsers read the name and the date in it, and must skip the comment. */
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

/** Outcomes that are not faults: a crashed decoder is replaced, and a decoder above its limits is ended. */
const knownOutcomes =
  /^(SHOWN|DAMAGED|SOUND_UNREADABLE|CORRUPT|TOO_LARGE|UNSUPPORTED|NO_PIXELS|NO_VIDEO|OUT_OF_MEMORY|CRASHED|TIMED_OUT)$/;

async function describeOutcome(render: () => Promise<{ readonly warnings: readonly string[] }>): Promise<string> {
  try {
    return (await render()).warnings[0] ?? 'SHOWN';
  } catch (error) {
    const isWorkerError = !(error instanceof DecodeError) || error.message.includes('exit code');
    return isWorkerError ? String(error) : error.code;
  }
}
