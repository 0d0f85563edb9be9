import { fork } from 'node:child_process';
import { DecodeError } from './decodeError.ts';
import { outOfMemorySignal, type DecoderLimits, type DecoderMessage, type RenderRequest } from './decoderProtocol.ts';
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

/** Starts a decoder child, a process that holds none of our secrets and dies with us. */
export function startDecoder(limits: DecoderLimits): DecoderProcess {
  const child = fork(
    new URL('decoderChild.ts', import.meta.url),
    [`${limits.maxPixels}`, `${limits.memoryLimitBytes}`],
    {
      serialization: 'advanced',
      // The worker's environment, secrets and all, is out of reach of a decoder that was taken over.
      // Two malloc arenas: 207 MB at the peak instead of 320 MB (12 MP photos, two at a time).
      env: { MALLOC_ARENA_MAX: '2' },
      // Pictures weigh nothing in JavaScript's heap; only a small nursery makes it collect them soon. After 800 photos
      // of 12 MP a child holds 170 MB, without this 330 MB and growing, so children need no renewal (2026-11).
      execArgv: ['--max-semi-space-size=1'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  );
  let alive = true;
  let answer = Promise.withResolvers<DecoderMessage>();

  const end = (reason: DecodeError): void => {
    alive = false;
    child.kill('SIGKILL');
    answer.reject(reason);
  };
  const gone = new Promise<void>((resolve) => {
    child.on('exit', (code, signal) => {
      end(explainExit(code, signal, limits.memoryLimitBytes));
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

function explainExit(code: number | null, signal: string | null, memoryLimitBytes: number): DecodeError {
  if (signal === outOfMemorySignal) {
    const limit = `${Math.round(memoryLimitBytes / 1e6)} MB`;
    return new DecodeError('OUT_OF_MEMORY', `Decoding the picture took more than ${limit} of memory.`);
  }
  return new DecodeError('CRASHED', `The decoder ended unexpectedly (${signal ?? `exit code ${code}`}).`);
}
