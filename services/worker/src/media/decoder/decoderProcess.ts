import type { ChildLimits } from '../sandbox/confinement/childLimits.ts';
import type { Sandbox } from '../sandbox/confinement/sandbox.ts';
import { DecodeError } from '../errors/decodeError.ts';
import { toExcessError, toDecodeError, followDecoder } from '../sandbox/processes/decoderExit.ts';
import { parseDecoderMessage } from './decoderMessages.ts';
import type { ResponseTo, DecoderResponse, DecoderLimits, DecoderMessage, DecoderRequest } from './decoderProtocol.ts';
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
  /** @throws DecodeError for every failure; the child has ended after a timeout, an exceeded limit or a crash */
  request<Request extends DecoderRequest>(request: Request, timeoutMs: number): Promise<ResponseTo<Request>>;
}

/** A child that has not sent `'ready'` after this time, in ms, counts as hung. A start takes 0.2 s on an idle machine. */
const defaultStartTimeoutMs = 30_000;

/**
 * A timed-out decode that used the CPU for at least this fraction of its time is reported as TOO_LARGE. With less CPU time, the delay came from the
 * disk, a frozen machine or other processes, and is reported as TIMED_OUT.
 */
const minBusyFraction = 0.25;

/** Maximum CPU seconds of a child while idle. The child still frees some memory after a file. */
const idleCpuSeconds = 2;

/** Limits that the system enforces. The file size needs no limit, because a child writes no files. */
const systemLimits: ChildLimits = { openFiles: 256 };

/** Limits of one decode, and the program of the child. */
export interface DecoderProcessOptions extends DecoderLimits {
  /** Resident memory of the whole child, including 70 MB of Node. */
  readonly memoryLimitBytes: number;
  /** Memory limit that all decoders of the worker, exiftool and the transcoder share. */
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
    startTimeoutMs = defaultStartTimeoutMs,
  }: DecoderProcessOptions,
  sandbox: Sandbox,
): DecoderProcess {
  const child = forkDecoder(program, [`${maxPixels}`], sandbox, systemLimits);
  let endReason: DecodeError | undefined;
  let idleWatch: Disposable | undefined;
  let response = Promise.withResolvers<DecoderMessage>();
  const exited = Promise.withResolvers<void>();

  const end = (reason: DecodeError): void => {
    if (endReason === undefined) {
      endReason = reason;
      idleWatch?.[Symbol.dispose]();
      void endChild(child)
        .then(() => sandbox.remove())
        .finally(exited.resolve);
    }
    response.reject(reason);
  };
  let isResponseExpected = false;
  const channel = followDecoder(child, {
    onMessage: (message) => {
      // A child that sends unrequested messages is ended: a compromised one could send them forever.
      if (!isResponseExpected) end(new DecodeError('CRASHED', 'The decoder sent an unexpected response.'));
      isResponseExpected = false;
      response.resolve(message);
    },
    parse: parseDecoderMessage,
    onEnd: end,
  });

  const decoderPid = (): number | undefined => child.pid && findInnermostProcess(child.pid);
  const cpuSeconds = (): number => {
    const pid = decoderPid();
    return (pid === undefined ? undefined : readProcessUsage(pid))?.cpuSeconds ?? 0;
  };

  const receiveMessage = async (timeoutMs: number, explainTimeout: () => DecodeError): Promise<DecoderMessage> => {
    response = Promise.withResolvers();
    isResponseExpected = true;
    const timer = setTimeout(() => end(explainTimeout()), timeoutMs);
    return response.promise.finally(() => clearTimeout(timer));
  };
  const receivePicture = async (timeoutMs: number): Promise<DecoderMessage> => {
    const [seconds, usedBefore] = [timeoutMs / 1000, cpuSeconds()];
    return receiveMessage(timeoutMs, () => {
      const wasBusy = cpuSeconds() - usedBefore >= seconds * minBusyFraction;
      const message = `Decoding the picture took longer than ${seconds} seconds.`;
      return new DecodeError(wasBusy ? 'TOO_LARGE' : 'TIMED_OUT', message, { isTimeout: true });
    });
  };
  // A slow start is never reported as TOO_LARGE: no file was opened yet, however much CPU time it took.
  const ready = receiveMessage(
    startTimeoutMs,
    () => new DecodeError('TIMED_OUT', 'The decoder did not start in time.', { isTimeout: false }),
  );
  const clearSandbox = (): Promise<void> =>
    sandbox.clear().catch((cause: unknown) => {
      // A child whose sandbox cannot be emptied gets no other file.
      end(new DecodeError('CRASHED', 'The decoder was shut down.', { cause }));
    });

  const onExcess = (excess: Excess): void => end(toExcessError(excess, { memoryLimitBytes, what: 'picture' }));
  /** Limits an idle child: a compromised one may continue to work after its response. */
  const watchIdle = (): void => {
    if (endReason !== undefined) return;
    const bounds = { residentBytes: memoryLimitBytes, budget, cpuSeconds: idleCpuSeconds, isIdle: true };
    idleWatch = watchChild(() => child, sandbox, bounds, onExcess);
  };

  const exchange = async (request: DecoderRequest, timeoutMs: number): Promise<DecoderMessage> => {
    try {
      const path = await sandbox.addFile(request.path);
      if (endReason !== undefined) throw endReason;
      const response = receivePicture(timeoutMs);
      idleWatch?.[Symbol.dispose]();
      using _ = watchChild(() => child, sandbox, { residentBytes: memoryLimitBytes, budget }, onExcess);
      channel.send({ ...request, path });
      return await response;
    } catch (error) {
      throw endReason ?? error;
    } finally {
      await clearSandbox();
      watchIdle();
    }
  };

  return {
    pid: decoderPid,
    isAlive: () => endReason === undefined && !sandbox.isSpent(),
    async request<Request extends DecoderRequest>(request: Request, timeoutMs: number) {
      await ready;
      const message = await exchange(request, timeoutMs);
      if (message.kind === 'failure') throw toDecodeError(message);
      if (message.kind === 'ready' || !isValidResponse(message, request)) {
        end(new DecodeError('CRASHED', 'The decoder sent an unexpected response.'));
        throw endReason!;
      }
      return message.value as ResponseTo<Request>;
    },
    end: () => {
      end(new DecodeError('CRASHED', 'The decoder was shut down.'));
      return exited.promise;
    },
  };
}

/** True if the response is of the requested kind, and within the requested sizes. */
const isValidResponse = (response: DecoderResponse, request: DecoderRequest): boolean =>
  response.kind === request.kind &&
  (response.kind !== 'pixels' || request.kind !== 'pixels' || areWithinSizes(response.value, request.sides));

const areWithinSizes = (pixels: readonly RgbPixels[], sides: readonly number[]): boolean =>
  pixels.length === sides.length && pixels.every(({ width, height }, i) => Math.max(width, height) <= sides[i]!);
