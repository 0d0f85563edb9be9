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
import { findInnermostProcess, readProcessUsage } from '@hearth/core/process/processUsage.ts';
import type { RgbPixels } from '../photo/readPixels.ts';
import { watchChild, type Excess } from '../sandbox/processes/watchChild.ts';

/** A decoder child, which decodes one file at a time. */
export interface DecoderProcess extends OwnedChild {
  /** Pid of the decoder, not of the sandbox program that started it. */
  pid(): number | undefined;
  /** @throws DecodeError for every failure; the child has ended after a timeout, OUT_OF_MEMORY and CRASHED */
  ask<Request extends DecoderRequest>(request: Request, timeoutMs: number): Promise<AnswerTo<Request>>;
}

/** A child that has not sent `'ready'` after this time, in ms, counts as hung. A start takes 0.2 s on an idle machine. */
const usualStartMs = 30_000;

/**
 * A timed-out decode that used the CPU for at least this share of its time is reported as TOO_LARGE. With less CPU time, the delay came from the
 * disk, a frozen machine or other processes, and it is reported as TIMED_OUT.
 */
const busyShare = 0.25;

/** Maximum CPU seconds of a child while idle. It still frees some memory after a file. */
const idleCpuSeconds = 2;

/** A child writes no files. */
const systemLimits: ChildLimits = { openFiles: 256 };

/** Limits of one decode, and the program of the child. */
export interface DecoderProcessOptions extends DecoderLimits {
  /** Resident memory of the whole child, including 70 MB of Node. */
  readonly memoryLimitBytes: number;
  /** Shared memory limit of all decoders of the worker. */
  readonly budget?: MemoryBudget | undefined;
  /** Program of the child. Tests pass one that simulates a compromised child. */
  readonly program?: URL | undefined;
  /** Timeout for the `'ready'` message. */
  readonly startTimeoutMs?: number | undefined;
}

/** Starts a decoder child in its own sandbox, which is removed with it. */
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
      // A child that sends unrequested messages is ended: a compromised one could send them forever.
      if (!isAsked) end(new DecodeError('CRASHED', 'The decoder sent an unexpected response.'));
      isAsked = false;
      answer.resolve(message);
    },
    parse: parseDecoderMessage,
    onEnd: end,
  });

  const decoderPid = (): number | undefined => child.pid && findInnermostProcess(child.pid);
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
  // A slow start is never reported as TOO_LARGE: no file was opened yet, however much CPU time it took.
  const ready = nextMessage(
    startTimeoutMs,
    () => new DecodeError('TIMED_OUT', 'The decoder did not start in time.', { isTimeout: false }),
  );
  const clear = (): Promise<void> =>
    box.clear().catch((cause: unknown) => {
      // A child whose sandbox cannot be emptied gets no other file.
      end(new DecodeError('CRASHED', 'The decoder was shut down.', { cause }));
    });

  const onExcess = (excess: Excess): void => end(explainExcess(excess, { memoryLimitBytes, what: 'picture' }));
  /** Limits an idle child: a compromised one may continue to work after its response. */
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
        end(new DecodeError('CRASHED', 'The decoder sent an unexpected response.'));
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

/** True if the response is of the requested kind, and within the requested sizes. */
const isAnswer = (answer: DecoderAnswer, request: DecoderRequest): boolean =>
  answer.kind === request.kind &&
  (answer.kind !== 'pixels' || request.kind !== 'pixels' || areOfSizes(answer.value, request.sides));

const areOfSizes = (pixels: readonly RgbPixels[], sides: readonly number[]): boolean =>
  pixels.length === sides.length && pixels.every(({ width, height }, i) => Math.max(width, height) <= sides[i]!);
