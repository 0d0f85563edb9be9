import type { ChildLimits } from './childLimits.ts';
import type { Box } from './confinement/box.ts';
import { DecodeError } from './decodeError.ts';
import type { DecoderLimits, DecoderMessage, RenderRequest } from './decoderProtocol.ts';
import { explainExit, forkDecoder, openChannelTo } from './forkDecoder.ts';
import { innermostProcess, readProcessUsage } from './processUsage.ts';
import type { RenderedPhoto } from './renderPhoto.ts';
import type { RenderedVideo } from './video/renderVideo.ts';

/** One decoder child; it takes one photo at a time. */
export interface DecoderProcess {
  /** Of the process that decodes, not of what confines it. */
  pid(): number | undefined;
  /** False as soon as its end is certain. */
  isAlive(): boolean;
  /** @throws DecodeError whatever the reason; after one that was late, OUT_OF_MEMORY and CRASHED the child has ended. */
  render(request: RenderRequest, timeoutMs: number): Promise<RenderedPhoto | RenderedVideo>;
  kill(): void;
  /** Resolves when the process is gone. */
  readonly gone: Promise<void>;
}

/** A child that has not said `'ready'` after this time counts as hung; it takes 0.2 s on a quiet machine. */
const startTimeoutMs = 30_000;

/**
 * Of the time it had, the part that a decode has computed which is in vain for ever: it had a good share of a busy machine, and will need as
 * much again. One that had less was kept from work, by the disk, a frozen machine or others, and may be lucky next time.
 */
const busyShare = 0.25;

/** It writes no file. */
const systemLimits: ChildLimits = { openFiles: 256 };

/** Starts a decoder child in a box of its own, which goes with it. */
export function startDecoder(limits: DecoderLimits, box: Box): DecoderProcess {
  const args = [`${limits.maxPixels}`, `${limits.memoryLimitBytes}`];
  const child = forkDecoder(new URL('decoderChild.ts', import.meta.url), args, box, systemLimits);
  let ended: DecodeError | undefined;
  let answer = Promise.withResolvers<DecoderMessage>();

  const end = (reason: DecodeError): void => {
    ended ??= reason;
    child.kill('SIGKILL');
    answer.reject(reason);
  };
  const gone = new Promise<void>((resolve) => {
    child.on('exit', (code, signal) => end(explainExit(code, signal, { ...limits, what: 'picture' })));
    child.on('close', () => void box.remove().finally(resolve));
    // The process could not be started, or its channel broke.
    child.on('error', (cause) => {
      end(new DecodeError('CRASHED', 'The decoder could not be reached.', { cause }));
      if (child.pid === undefined) void box.remove().finally(resolve);
    });
  });
  const channel = openChannelTo<DecoderMessage>(child, {
    onMessage: (message) => answer.resolve(message),
    onFault: (cause) => end(new DecodeError('CRASHED', 'The decoder has answered nonsense.', { cause })),
  });

  const decoderPid = (): number | undefined => child.pid && innermostProcess(child.pid);
  const cpuSeconds = async (): Promise<number> => {
    const pid = decoderPid();
    return (pid === undefined ? undefined : await readProcessUsage(pid))?.cpuSeconds ?? 0;
  };

  const nextMessage = async (timeoutMs: number): Promise<DecoderMessage> => {
    answer = Promise.withResolvers();
    const [awaited, seconds, usedBefore] = [answer, timeoutMs / 1000, cpuSeconds()];
    const late = async (): Promise<void> => {
      const used = (await cpuSeconds()) - (await usedBefore);
      // Its answer has come meanwhile, and another picture may be at work.
      if (answer !== awaited || ended !== undefined) return;
      const spent = used >= seconds * busyShare;
      const sentence = `Decoding the picture took longer than ${seconds} seconds.`;
      end(new DecodeError(spent ? 'TOO_LARGE' : 'TIMED_OUT', sentence));
    };
    const timer = setTimeout(() => void late(), timeoutMs);
    return answer.promise.finally(() => clearTimeout(timer));
  };
  const ready = nextMessage(startTimeoutMs);

  return {
    pid: decoderPid,
    isAlive: () => ended === undefined,
    async render(request, timeoutMs) {
      await ready;
      const path = await box.admit(request.path).catch((error: unknown) => {
        throw ended ?? error;
      });
      if (ended !== undefined) throw ended;
      const reply = nextMessage(timeoutMs);
      channel.send({ ...request, path });
      const message = await reply;
      await box.clear();
      if ('picture' in message) return message.picture;
      if ('ready' in message) throw new DecodeError('CRASHED', 'The decoder answered out of turn.');
      const { code, text, detail } = message.failure;
      throw new DecodeError(code, text, { cause: new Error(detail) });
    },
    kill: () => end(new DecodeError('CRASHED', 'The decoder was shut down.')),
    gone,
  };
}
