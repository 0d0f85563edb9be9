import { DecodeError } from './decodeError.ts';
import type { DecoderLimits, DecoderMessage, RenderRequest } from './decoderProtocol.ts';
import { explainExit, forkDecoder } from './forkDecoder.ts';
import type { RenderedPhoto } from './renderPhoto.ts';
import type { RenderedVideo } from './video/renderVideo.ts';

/** One decoder child; it takes one photo at a time. */
export interface DecoderProcess {
  readonly pid: number | undefined;
  /** False as soon as its end is certain. */
  isAlive(): boolean;
  /** @throws DecodeError whatever the reason; after TIMED_OUT, OUT_OF_MEMORY and CRASHED the child has ended. */
  render(request: RenderRequest, timeoutMs: number): Promise<RenderedPhoto | RenderedVideo>;
  kill(): void;
  /** Resolves when the process is gone. */
  readonly gone: Promise<void>;
}

/** A child that has not said `'ready'` after this time counts as hung; it takes 0.2 s on a quiet machine. */
const startTimeoutMs = 30_000;

/** Starts a decoder child. */
export function startDecoder(limits: DecoderLimits): DecoderProcess {
  const child = forkDecoder(new URL('decoderChild.ts', import.meta.url), [
    `${limits.maxPixels}`,
    `${limits.memoryLimitBytes}`,
  ]);
  let alive = true;
  let answer = Promise.withResolvers<DecoderMessage>();

  const end = (reason: DecodeError): void => {
    alive = false;
    child.kill('SIGKILL');
    answer.reject(reason);
  };
  const gone = new Promise<void>((resolve) => {
    child.on('exit', (code, signal) => {
      end(explainExit(code, signal, { ...limits, what: 'picture' }));
      resolve();
    });
    // The process could not be started, or its channel broke.
    child.on('error', (cause) => {
      end(new DecodeError('CRASHED', 'The decoder could not be reached.', { cause }));
      if (child.pid === undefined) resolve();
    });
  });
  child.on('message', (message: DecoderMessage) => answer.resolve(message));

  const nextMessage = async (timeoutMs: number): Promise<DecoderMessage> => {
    answer = Promise.withResolvers();
    const seconds = timeoutMs / 1000;
    const late = () => end(new DecodeError('TIMED_OUT', `Decoding the picture took longer than ${seconds} seconds.`));
    const timer = setTimeout(late, timeoutMs);
    return answer.promise.finally(() => clearTimeout(timer));
  };
  const ready = nextMessage(startTimeoutMs);

  return {
    pid: child.pid,
    isAlive: () => alive,
    async render(request, timeoutMs) {
      await ready;
      const reply = nextMessage(timeoutMs);
      child.send(request);
      const message = await reply;
      if ('picture' in message) return message.picture;
      if ('ready' in message) throw new DecodeError('CRASHED', 'The decoder answered out of turn.');
      const { code, text, detail } = message.failure;
      throw new DecodeError(code, text, { cause: new Error(detail) });
    },
    kill: () => end(new DecodeError('CRASHED', 'The decoder was shut down.')),
    gone,
  };
}
