import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { mutateBytes } from '@hearth/core/testing/mutateBytes.ts';
import { createRandom } from '@hearth/core/testing/seededRandom.ts';
import { DecodeError } from '../decodeError.ts';
import { openDecoderPool } from '../decoderPool.ts';
import { openExiftool } from '../exiftool.ts';
import type { PhotoFormat } from '../photoFormats.ts';
import { renderStill, type PhotoTools } from '../renderStill.ts';
import { makeSampleFiles } from './sampleFiles.ts';

/** Which mutations to run. */
export interface FormatFuzz {
  readonly seed: number;
  readonly first: number;
  readonly count: number;
  readonly onProgress?: (done: number) => unknown;
}

/** A mutation did what it may not; the message tells how to repeat it. */
export class FormatFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FormatFault';
  }
}

/** Milliseconds that one decode may take here, and what may pass until its end is known. */
const limitMs = 20_000;
const graceMs = 60_000;

/**
 * Renders mutated files of every format in turn, and answers how often each format ended how: `SHOWN`, `DAMAGED`, or by the code of a
 * `DecodeError`. @throws FormatFault for any other end, one that does not come, and a file left behind
 */
export async function fuzzFormats(fuzz: FormatFuzz): Promise<Map<PhotoFormat, Map<string, number>>> {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-fuzz-formats-'));
  const scratchDirectory = join(folder, 'scratch');
  await mkdir(scratchDirectory);
  const size = availableParallelism();
  const decoders = openDecoderPool({ size, timeoutMs: limitMs, memoryLimitBytes: 1.2e9, maxPixels: 150e6 });
  const exiftool = await openExiftool({ timeoutMs: limitMs, maxProcs: 1 });
  try {
    const tools = { decoders, exiftool, scratchDirectory };
    const outcomes = await runCases(fuzz, folder, tools);
    const left = await readdir(scratchDirectory);
    if (left.length > 0) throw new FormatFault(`seed ${fuzz.seed}: left behind: ${left.join(', ')}`);
    return outcomes;
  } finally {
    await Promise.all([decoders.close(), exiftool.end()]);
    await rm(folder, { recursive: true });
  }
}

async function runCases({ seed, first, count, onProgress }: FormatFuzz, folder: string, tools: PhotoTools) {
  const samples = await makeSampleFiles();
  const formats = Object.keys(samples) as PhotoFormat[];
  const others = Object.values(samples);
  const outcomes = new Map(formats.map((format) => [format, new Map<string, number>()]));
  let next = first;
  const runLane = async (): Promise<void> => {
    for (let number = next++; number < first + count; number = next++) {
      const format = formats[number % formats.length]!;
      const path = join(folder, `${number}`);
      await writeFile(path, mutateBytes(createRandom(seed, number), samples[format], others));
      const outcome = await Promise.race([outcomeOf(path, tools), delay(limitMs + graceMs, 'NO END', { ref: false })]);
      await rm(path);
      if (!knownOutcomes.test(outcome))
        throw new FormatFault(`${format}: ${outcome} (--seed ${seed} --case ${number})`);
      const counts = outcomes.get(format)!;
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
      onProgress?.(number - first + 1);
    }
  };
  // One more than there are decoders: the lane of heavy pictures has one of its own.
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, runLane));
  return outcomes;
}

/** A decoder that crashed is replaced, one that took too long or too much was ended; an error of our own code is a fault. */
const knownOutcomes = /^(SHOWN|DAMAGED|CORRUPT|TOO_LARGE|UNSUPPORTED|NO_PIXELS|OUT_OF_MEMORY|CRASHED|TIMED_OUT)$/;

async function outcomeOf(path: string, tools: PhotoTools): Promise<string> {
  try {
    return (await renderStill(path, tools)).warnings[0] ?? 'SHOWN';
  } catch (error) {
    const isOurs = !(error instanceof DecodeError) || error.message.includes('exit code');
    return isOurs ? String(error) : error.code;
  }
}
