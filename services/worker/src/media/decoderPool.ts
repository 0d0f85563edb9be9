import { DecodeError } from './decodeError.ts';
import { startDecoder, type DecoderProcess } from './decoderProcess.ts';
import type { DecoderLimits } from './decoderProtocol.ts';
import type { RenderedPhoto } from './renderPhoto.ts';

/** How many decoders run, and what one decode may take. */
export interface DecoderPoolOptions extends DecoderLimits {
  /** Photos decoded at the same time, each in a process of its own. */
  readonly size: number;
  /** From the moment a child gets the photo; waiting for a free child does not count. */
  readonly timeoutMs: number;
}

/** Decodes untrusted files in child processes that can be killed. */
export interface DecoderPool {
  /**
   * Renders a photo (see `renderPhoto.ts`); photos wait for a free child in the order of the calls.
   * A decode past `timeoutMs` or `memoryLimitBytes` is killed; a child that ends takes only its own photo with it.
   * @throws DecodeError, which says by `permanent` whether another try makes sense.
   */
  renderPhoto(path: string): Promise<RenderedPhoto>;
  /** The processes now alive, for kill drills. */
  childPids(): number[];
  /** Kills every child and waits until it is gone; what is unfinished rejects as `CRASHED`. */
  close(): Promise<void>;
}

/**
 * Opens a pool; its children start when they are first needed, are kept, and are replaced when they die.
 *
 * Written on `child_process` and not on the library workerpool (10.0.3), which was tried first: there a queue stands
 * still after a child crashed until someone calls again, a child that died while idle fails the next photo, and a
 * blocked child lives two seconds past its time limit.
 */
export function openDecoderPool({ size, timeoutMs, ...limits }: DecoderPoolOptions): DecoderPool {
  const decoders = new Set<DecoderProcess>();
  const idle = new Set<DecoderProcess>();
  const waiting: (() => void)[] = [];
  let free = size;
  let closed = false;

  const takeSlot = async (): Promise<void> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const giveSlot = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  const takeDecoder = (): DecoderProcess => {
    if (closed) throw new DecodeError('CRASHED', 'The decoders were shut down.');
    for (const decoder of idle) {
      idle.delete(decoder);
      if (decoder.isAlive()) return decoder;
    }
    const decoder = startDecoder(limits);
    decoders.add(decoder);
    void decoder.gone.then(() => decoders.delete(decoder) && idle.delete(decoder));
    return decoder;
  };

  return {
    async renderPhoto(path) {
      await takeSlot();
      try {
        const decoder = takeDecoder();
        const photo = decoder.render(path, timeoutMs);
        return await photo.finally(() => decoder.isAlive() && idle.add(decoder));
      } finally {
        giveSlot();
      }
    },
    childPids: () => [...decoders].flatMap(({ pid }) => pid ?? []),
    async close() {
      closed = true;
      for (const decoder of decoders) decoder.kill();
      await Promise.all([...decoders].map(({ gone }) => gone));
    },
  };
}
