import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ChildLimits } from '../sandbox/confinement/childLimits.ts';
import type { Sandbox } from '../sandbox/confinement/sandbox.ts';
import { unconfined, type Confinement } from '../sandbox/confinement/confinement.ts';
import { DecodeError } from '../errors/decodeError.ts';
import { toExcessError, toDecodeError, followDecoder } from '../sandbox/processes/decoderExit.ts';
import { endChild } from '../sandbox/processes/endChild.ts';
import { forkDecoder } from '../sandbox/processes/forkDecoder.ts';
import { isDiskFull, NoSpaceError } from '../errors/noSpace.ts';
import type { MemoryBudget } from '../sandbox/processes/memoryBudget.ts';
import { watchChild } from '../sandbox/processes/watchChild.ts';
import type { TranscodeMethod, TranscodeMessage, TranscodeRequest, TranscodeWarning } from './transcodeProtocol.ts';
import { z } from 'zod';
import { failureResponse, readyMessage } from '../sandbox/processes/responseSchemas.ts';
import { maxTextLength } from '../sandbox/processes/decoderResponses.ts';

export interface TranscodeOptions {
  /** Default: `transcode`. */
  readonly method?: TranscodeMethod;
  /** Larger pictures are rejected. */
  readonly maxPixels: number;
  /** Called at most once a second with the progress, 0 to 1. Not called if the duration is unknown. */
  readonly onProgress: (fraction: number) => void;
  /** Aborting it ends the work at once, deletes the unfinished target, and rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Multiplier of both timeouts. Default: 1. */
  readonly timeoutFactor?: number;
  /** A child that sends no message for this time counts as hung. */
  readonly stallMs?: number;
  /** The child is ended after this time, even if it reports progress. */
  readonly maxMs?: number;
  /** Resident memory limit of the child. */
  readonly memoryLimitBytes?: number;
  /** Memory limit that the child shares with decoders. */
  readonly budget?: MemoryBudget;
  /** Sandbox of the child. Without this field, the child has all rights of this process. */
  readonly confinement?: Confinement;
}

export interface TranscodedVideo {
  readonly warnings: readonly TranscodeWarning[];
}

/** A video may take hours on a slow machine, but a single frame at most seconds. */
const defaultStallMs = 120_000;

/** More than the longest video takes on a slow machine. Without this limit, a compromised child could report progress forever. */
const defaultMaxMs = 48 * 3_600_000;

/** 4K in 10 bits takes 300 MB at its peak (docs/docs/dev-guide/photo-formats.md). */
const defaultMemoryBytes = 700e6;

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
  const { method = 'transcode', maxPixels, signal } = options;
  signal.throwIfAborted();
  const sandbox = options.confinement?.createSandbox('write') ?? unconfined;
  try {
    const [from, to] = [await sandbox.addFile(path), sandbox.getOutputPath(target)];
    const video = await runChild({ method, path: from, target: to, maxPixels }, sandbox, options).catch(
      async (error) => {
        // The parent checks the disk itself: a run on a full disk is retried forever, and the child may lie.
        if (!(error instanceof UnwritableError && (await isDiskFull(dirname(target))))) throw error;
        throw new NoSpaceError(error.message, { cause: error });
      },
    );
    await sandbox.moveOutput(target);
    return video;
  } catch (error) {
    await rm(target, { force: true });
    throw error;
  } finally {
    await sandbox.remove();
  }
}

/** The child reported that it cannot write. */
class UnwritableError extends Error {}

async function runChild(
  request: TranscodeRequest,
  sandbox: Sandbox,
  { onProgress, signal, timeoutFactor = 1, memoryLimitBytes = defaultMemoryBytes, budget, ...limits }: TranscodeOptions,
): Promise<TranscodedVideo> {
  const stallMs = timeoutFactor * (limits.stallMs ?? defaultStallMs);
  const maxMs = timeoutFactor * (limits.maxMs ?? defaultMaxMs);
  const child = forkDecoder(new URL('transcodeChild.ts', import.meta.url), [], sandbox, systemLimits);
  const outcome = Promise.withResolvers<TranscodedVideo>();
  const onStall = (): void => {
    const seconds = stallMs / 1_000;
    outcome.reject(new DecodeError('TIMED_OUT', `No progress on the video for ${seconds} seconds.`));
  };
  const timer = setTimeout(onStall, stallMs);
  const onLong = (): void =>
    outcome.reject(new DecodeError('TIMED_OUT', `The video took longer than ${maxMs / 3_600_000} hours.`));
  const maxTimer = setTimeout(onLong, maxMs);
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
        return outcome.reject(toDecodeError(message));
    }
  };
  const channel = followDecoder(child, { onMessage, parse: parseTranscodeMessage, onEnd: outcome.reject });
  using _ = watchChild(
    () => child,
    sandbox,
    { residentBytes: memoryLimitBytes, budget },
    (excess) => outcome.reject(toExcessError(excess, { memoryLimitBytes, what: 'video' })),
  );
  try {
    return await outcome.promise;
  } finally {
    clearTimeout(timer);
    clearTimeout(maxTimer);
    signal.removeEventListener('abort', onAbort);
    // From here on no process writes to the target.
    await endChild(child);
  }
}

const transcodeMessage = z.discriminatedUnion('kind', [
  readyMessage,
  z.strictObject({ kind: z.literal('progress'), fraction: z.number().min(0).max(1).or(z.undefined()) }),
  z.strictObject({ kind: z.literal('done'), warnings: z.array(z.enum(['DAMAGED', 'SOUND_UNREADABLE'])).max(2) }),
  z.strictObject({ kind: z.literal('unwritable'), text: z.string().max(maxTextLength) }),
  failureResponse,
]);

/** Validates a message of a transcoding child. @throws Error if it is invalid */
export const parseTranscodeMessage = (message: unknown): TranscodeMessage => transcodeMessage.parse(message);
