import type { ChildLimits } from '../sandbox/confinement/childLimits.ts';
import type { Box } from '../sandbox/confinement/box.ts';
import { DecodeError } from '../errors/decodeError.ts';
import { explainExcess, explainFailure, followDecoder } from '../sandbox/processes/decoderEnd.ts';
import { parseDecoderMessage } from './decoderMessages.ts';
import type { AnswerTo, DecoderAnswer, DecoderLimits, DecoderMessage, DecoderRequest } from './decoderProtocol.ts';
import { endChild } from '../sandbox/processes/endChild.ts';
import { forkDecoder } from '../sandbox/processes/forkDecoder.ts';
import type { MemoryBudget } from '../sandbox/processes/memoryBudget.ts';
import type { OwnedChild } from '../sandbox/processes/ownedChildren.ts';
import { innermostProcess, readProcessUsage } from '@hearth/core/process/processUsage.ts';
import type { RgbPixels } from '../photo/readPixels.ts';
import { watchChild, type Excess } from '../sandbox/processes/watchChild.ts';

/** One decoder child; it takes one file at a time. */
export interface DecoderProcess extends OwnedChild {
  /** The id of the process that decodes, not of the program that confines it. */
  pid(): number | undefined;
  /** @throws DecodeError for every failure; after a timeout, OUT_OF_MEMORY and CRASHED the child has ended */
  ask<Request extends DecoderRequest>(request: Request, timeoutMs: number): Promise<AnswerTo<Request>>;
}

/** A child that has not said `'ready'` after this time counts as hung; it takes 0.2 s on a quiet machine. */
const usualStartMs = 30_000;

/**
 * A timed-out decode that has computed for at least this part of its time is reported as TOO_LARGE. One that has computed less was held up
 * by the disk, a frozen machine or other processes, and is reported as TIMED_OUT.
 */
const busyShare = 0.25;

/** CPU seconds of an idle child from one file to the next: it has a little memory to tidy up. */
const idleCpuSeconds = 2;

/** Limits of a child, which writes no file. */
const systemLimits: ChildLimits = { openFiles: 256 };

/** The limits of one decode, and the program that does it. */
export interface DecoderProcessOptions extends DecoderLimits {
  /** Resident memory of the whole child, its 70 MB of Node included. */
  readonly memoryLimitBytes: number;
  /** The memory of all decoders of the worker. */
  readonly budget?: MemoryBudget | undefined;
  /** The program of the child. Tests pass one that plays a child that was taken over. */
  readonly program?: URL | undefined;
  /** Milliseconds until a child must have said `'ready'`. */
  readonly startTimeoutMs?: number | undefined;
}

/** Starts a decoder child in a box of its own, which is removed with it. */
export function startDecoder(
  {
    maxPixels,
    memoryLimitBytes,
    budget,
    program = new URL('decoderChild.ts', import.meta.url),
    startTimeoutMs = usualStartMs,
  }: DecoderProcessOptions,
  box: Box,
): DecoderProcess {
  const child = forkDecoder(program, [`${maxPixels}`], box, systemLimits);
  let ended: DecodeError | undefined;
  let idleWatch: Disposable | undefined;
  let answer = Promise.withResolvers<DecoderMessage>();
  const gone = Promise.withResolvers<void>();

  const end = (reason: DecodeError): void => {
    if (ended === undefined) {
      ended = reason;
      idleWatch?.[Symbol.dispose]();
      void endChild(child)
        .then(() => box.remove())
        .finally(gone.resolve);
    }
    answer.reject(reason);
  };
  let isAsked = false;
  const channel = followDecoder(child, {
    onMessage: (message) => {
      // A child that sends unasked is ended: otherwise it could go on for ever.
      if (!isAsked) end(new DecodeError('CRASHED', 'The decoder answered what it was not asked.'));
      isAsked = false;
      answer.resolve(message);
    },
    parse: parseDecoderMessage,
    onEnd: end,
  });

  const decoderPid = (): number | undefined => child.pid && innermostProcess(child.pid);
  const cpuSeconds = (): number => {
    const pid = decoderPid();
    return (pid === undefined ? undefined : readProcessUsage(pid))?.cpuSeconds ?? 0;
  };

  const nextMessage = async (timeoutMs: number, explainLate: () => DecodeError): Promise<DecoderMessage> => {
    answer = Promise.withResolvers();
    isAsked = true;
    const timer = setTimeout(() => end(explainLate()), timeoutMs);
    return answer.promise.finally(() => clearTimeout(timer));
  };
  const nextPicture = async (timeoutMs: number): Promise<DecoderMessage> => {
    const [seconds, usedBefore] = [timeoutMs / 1000, cpuSeconds()];
    return nextMessage(timeoutMs, () => {
      const spent = cpuSeconds() - usedBefore >= seconds * busyShare;
      const sentence = `Decoding the picture took longer than ${seconds} seconds.`;
      return new DecodeError(spent ? 'TOO_LARGE' : 'TIMED_OUT', sentence, { isTimeout: true });
    });
  };
  // If a start takes too long, no file is to blame, however much the child has computed.
  const ready = nextMessage(
    startTimeoutMs,
    () => new DecodeError('TIMED_OUT', 'The decoder did not start in time.', { isTimeout: false }),
  );
  const clear = (): Promise<void> =>
    box.clear().catch((cause: unknown) => {
      // If the box cannot be emptied, its child gets no other file.
      end(new DecodeError('CRASHED', 'The decoder was shut down.', { cause }));
    });

  const onExcess = (excess: Excess): void => end(explainExcess(excess, { memoryLimitBytes, what: 'picture' }));
  /** Watches an idle child: a file that has taken it over may go on working after its answer. */
  const watchIdle = (): void => {
    if (ended !== undefined) return;
    const bounds = { residentBytes: memoryLimitBytes, budget, cpuSeconds: idleCpuSeconds, isIdle: true };
    idleWatch = watchChild(() => child, box, bounds, onExcess);
  };

  const exchange = async (request: DecoderRequest, timeoutMs: number): Promise<DecoderMessage> => {
    try {
      const path = await box.admit(request.path);
      if (ended !== undefined) throw ended;
      const reply = nextPicture(timeoutMs);
      idleWatch?.[Symbol.dispose]();
      using _ = watchChild(() => child, box, { residentBytes: memoryLimitBytes, budget }, onExcess);
      channel.send({ ...request, path });
      return await reply;
    } catch (error) {
      throw ended ?? error;
    } finally {
      await clear();
      watchIdle();
    }
  };

  return {
    pid: decoderPid,
    isAlive: () => ended === undefined && !box.isSpent(),
    async ask<Request extends DecoderRequest>(request: Request, timeoutMs: number) {
      await ready;
      const message = await exchange(request, timeoutMs);
      if (message.kind === 'failure') throw explainFailure(message);
      if (message.kind === 'ready' || !isAnswer(message, request)) {
        end(new DecodeError('CRASHED', 'The decoder answered what it was not asked.'));
        throw ended!;
      }
      return message.value as AnswerTo<Request>;
    },
    end: () => {
      end(new DecodeError('CRASHED', 'The decoder was shut down.'));
      return gone.promise;
    },
  };
}

/** Whether an answer is of the requested kind, and in the requested sizes. */
const isAnswer = (answer: DecoderAnswer, request: DecoderRequest): boolean =>
  answer.kind === request.kind &&
  (answer.kind !== 'pixels' || request.kind !== 'pixels' || areOfSizes(answer.value, request.sides));

const areOfSizes = (pixels: readonly RgbPixels[], sides: readonly number[]): boolean =>
  pixels.length === sides.length && pixels.every(({ width, height }, i) => Math.max(width, height) <= sides[i]!);
