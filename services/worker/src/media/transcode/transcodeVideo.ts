import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ChildLimits } from '../sandbox/confinement/childLimits.ts';
import type { Box } from '../sandbox/confinement/box.ts';
import { unconfined, type Confinement } from '../sandbox/confinement/confinement.ts';
import { DecodeError } from '../errors/decodeError.ts';
import { explainExcess, explainFailure, followDecoder } from '../sandbox/processes/decoderEnd.ts';
import { endChild } from '../sandbox/processes/endChild.ts';
import { forkDecoder } from '../sandbox/processes/forkDecoder.ts';
import { isDiskFull, NoSpaceError } from '../errors/noSpace.ts';
import type { MemoryBudget } from '../sandbox/processes/memoryBudget.ts';
import { watchChild } from '../sandbox/processes/watchChild.ts';
import type { MakingOfVideo, TranscodeMessage, TranscodeRequest, TranscodeWarning } from './transcodeProtocol.ts';
import { z } from 'zod';
import { failureAnswer, readyMessage } from '../sandbox/processes/answerSchemas.ts';
import { maxText } from '../sandbox/processes/decoderAnswers.ts';

/** The options of `transcodeVideo`. */
export interface TranscodeOptions {
  /** How the video is made: `transcode` if undefined. */
  readonly how?: MakingOfVideo;
  /** Larger pictures are refused. */
  readonly maxPixels: number;
  /** Called at most once a second with the progress, from 0 to 1; never where the duration is not known. */
  readonly onProgress: (fraction: number) => void;
  /** Aborting it ends the work at once and removes the unfinished target; the promise then rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Multiplies both time limits; 1 if undefined. */
  readonly patience?: number;
  /** Milliseconds without a message after which the child counts as hung. */
  readonly stallMs?: number;
  /** Milliseconds after which the child is ended, whatever progress it reports. */
  readonly longestMs?: number;
  /** Bytes of resident memory of the child. */
  readonly memoryLimitBytes?: number;
  /** The memory that the child shares with decoders. */
  readonly budget?: MemoryBudget;
  /** Undefined: the child may do whatever this process may. */
  readonly confinement?: Confinement;
}

/** The result of a transcoding. */
export interface TranscodedVideo {
  readonly warnings: readonly TranscodeWarning[];
}

/** A film may take hours on a small machine, but a frame of it takes seconds at most. */
const usualStallMs = 120_000;

/** More than the longest film takes on a small machine. Without this bound a process that a file has taken over could report progress for ever. */
const usualLongestMs = 48 * 3_600_000;

/** 4K in 10 bits takes 300 MB at its peak (docs/docs/dev-guide/photo-formats.md). */
const usualMemoryBytes = 700e6;

/** The system's limits for a child; the longest file is a day of film at the 6 Mbit/s of Full HD. */
const systemLimits: ChildLimits = { openFiles: 256, fileBytes: 64 * 1024 ** 3 };

/**
 * Makes an MP4 of a video that every browser plays (see `transcode.ts` and `remuxVideo.ts`), in a child process of its own. Whatever goes wrong, nothing is left at
 * `target`.
 * @throws DecodeError for what is wrong with the video; NoSpaceError where the disk is full, Error where the target cannot be written otherwise
 */
export async function transcodeVideo(
  path: string,
  target: string,
  options: TranscodeOptions,
): Promise<TranscodedVideo> {
  const { how = 'transcode', maxPixels, signal } = options;
  signal.throwIfAborted();
  const box = options.confinement?.openBox('write') ?? unconfined;
  try {
    const [from, to] = [await box.admit(path), box.place(target)];
    const video = await runChild({ how, path: from, target: to, maxPixels }, box, options).catch(async (error) => {
      // A run that finds the disk full is retried for ever, so the child is not believed: the parent checks the disk itself.
      if (!(error instanceof UnwritableError && (await isDiskFull(dirname(target))))) throw error;
      throw new NoSpaceError(error.message, { cause: error });
    });
    await box.collect(target);
    return video;
  } catch (error) {
    await rm(target, { force: true });
    throw error;
  } finally {
    await box.remove();
  }
}

/** The child's report that it cannot write. */
class UnwritableError extends Error {}

async function runChild(
  request: TranscodeRequest,
  box: Box,
  { onProgress, signal, patience = 1, memoryLimitBytes = usualMemoryBytes, budget, ...limits }: TranscodeOptions,
): Promise<TranscodedVideo> {
  const stallMs = patience * (limits.stallMs ?? usualStallMs);
  const longestMs = patience * (limits.longestMs ?? usualLongestMs);
  const child = forkDecoder(new URL('transcodeChild.ts', import.meta.url), [], box, systemLimits);
  const outcome = Promise.withResolvers<TranscodedVideo>();
  const onStall = (): void => {
    const seconds = stallMs / 1_000;
    outcome.reject(new DecodeError('TIMED_OUT', `Nothing has come of the video for ${seconds} seconds.`));
  };
  const timer = setTimeout(onStall, stallMs);
  const onLong = (): void =>
    outcome.reject(new DecodeError('TIMED_OUT', `The video took longer than ${longestMs / 3_600_000} hours.`));
  const longest = setTimeout(onLong, longestMs);
  const onAbort = (): void => outcome.reject(signal.reason);
  signal.addEventListener('abort', onAbort);
  const onMessage = (message: TranscodeMessage): void => {
    timer.refresh();
    switch (message.kind) {
      case 'ready':
        return channel.send(request);
      case 'progress':
        return message.fraction === undefined ? undefined : onProgress(message.fraction);
      case 'done':
        return outcome.resolve({ warnings: message.warnings });
      case 'unwritable':
        return outcome.reject(new UnwritableError(message.text));
      case 'failure':
        return outcome.reject(explainFailure(message));
    }
  };
  const channel = followDecoder(child, { onMessage, parse: parseTranscodeMessage, onEnd: outcome.reject });
  using _ = watchChild(
    () => child,
    box,
    { residentBytes: memoryLimitBytes, budget },
    (excess) => outcome.reject(explainExcess(excess, { memoryLimitBytes, what: 'video' })),
  );
  try {
    return await outcome.promise;
  } finally {
    clearTimeout(timer);
    clearTimeout(longest);
    signal.removeEventListener('abort', onAbort);
    // Only after this does no process write to the target any more.
    await endChild(child);
  }
}

const transcodeMessage = z.discriminatedUnion('kind', [
  readyMessage,
  z.strictObject({ kind: z.literal('progress'), fraction: z.number().min(0).max(1).or(z.undefined()) }),
  z.strictObject({ kind: z.literal('done'), warnings: z.array(z.enum(['DAMAGED', 'SOUND_UNREADABLE'])).max(2) }),
  z.strictObject({ kind: z.literal('unwritable'), text: z.string().max(maxText) }),
  failureAnswer,
]);

/** Validates a message of a transcoding child. @throws Error where it is none */
export const parseTranscodeMessage = (message: unknown): TranscodeMessage => transcodeMessage.parse(message);
