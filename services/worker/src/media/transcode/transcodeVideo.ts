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

export interface TranscodeOptions {
  /** Default: `transcode`. */
  readonly how?: MakingOfVideo;
  /** Larger pictures are rejected. */
  readonly maxPixels: number;
  /** Called at most once a second with the progress, 0 to 1. Not called if the duration is unknown. */
  readonly onProgress: (fraction: number) => void;
  /** Aborting it ends the work at once, deletes the unfinished target, and rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Multiplier of both timeouts. Default: 1. */
  readonly patience?: number;
  /** A child that sends no message for this time counts as hung. */
  readonly stallMs?: number;
  /** The child is ended after this time, even if it reports progress. */
  readonly longestMs?: number;
  /** Resident memory limit of the child. */
  readonly memoryLimitBytes?: number;
  /** Memory limit that the child shares with decoders. */
  readonly budget?: MemoryBudget;
  /** Without it, the child has all rights of this process. */
  readonly confinement?: Confinement;
}

export interface TranscodedVideo {
  readonly warnings: readonly TranscodeWarning[];
}

/** A video may take hours on a slow machine, but a single frame at most seconds. */
const usualStallMs = 120_000;

/** More than the longest video takes on a slow machine. Without it, a compromised child could report progress forever. */
const usualLongestMs = 48 * 3_600_000;

/** 4K in 10 bits takes 300 MB at its peak (docs/docs/dev-guide/photo-formats.md). */
const usualMemoryBytes = 700e6;

/** The maximum file size allows a day of video at 6 Mbit/s, as for Full HD. */
const systemLimits: ChildLimits = { openFiles: 256, fileBytes: 64 * 1024 ** 3 };

/**
 * Makes an MP4 that all browsers can play (see `transcode.ts` and `remuxVideo.ts`), in a child process. Leaves nothing at `target` on failure.
 * @throws DecodeError for errors of the video, NoSpaceError on a full disk, Error if the target cannot be written for another reason
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
      // The parent checks the disk itself: a run on a full disk is retried forever, and the child may lie.
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

/** The child reported that it cannot write. */
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
    outcome.reject(new DecodeError('TIMED_OUT', `No progress on the video for ${seconds} seconds.`));
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
    // From here on no process writes to the target.
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

/** Validates a message of a transcoding child. @throws Error if it is invalid */
export const parseTranscodeMessage = (message: unknown): TranscodeMessage => transcodeMessage.parse(message);
