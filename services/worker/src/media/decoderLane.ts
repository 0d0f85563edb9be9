import { unconfined, type Confinement } from './confinement/confinement.ts';
import { DecodeError } from './decodeError.ts';
import { startDecoder, type DecoderProcess } from './decoderProcess.ts';
import type { DecoderLimits, RenderRequest } from './decoderProtocol.ts';
import type { RenderedPhoto } from './renderPhoto.ts';
import type { RenderedVideo } from './video/renderVideo.ts';

/** How many decoders a lane has, and what one decode may take. */
export interface DecoderLaneOptions extends DecoderLimits {
  /** Photos decoded at the same time, each in a process of its own. */
  readonly size: number;
  /** From the moment a child gets the photo; waiting for a free child does not count. */
  readonly timeoutMs: number;
  /** Milliseconds after which a child without work is ended, for its memory's sake; without them it is kept. */
  readonly idleMs?: number;
  /** Without it, children may do what this process may. */
  readonly confinement?: Confinement;
}

/** A queue of photos and the children that take from it. */
export interface DecoderLane {
  /** @throws DecodeError */
  render(request: RenderRequest): Promise<RenderedPhoto | RenderedVideo>;
  childPids(): number[];
  /** Kills every child and waits until it is gone; what is unfinished rejects as `CRASHED`. */
  close(): Promise<void>;
}

/**
 * Opens a lane; its children start when they are first needed, are kept, and are replaced when they die.
 *
 * Written on `child_process` and not on the library workerpool (10.0.3), which was tried first: there a queue stands
 * still after a child crashed until someone calls again, a child that died while idle fails the next photo, and a
 * blocked child lives two seconds past its time limit.
 */
export function openDecoderLane({ size, timeoutMs, idleMs, confinement, ...limits }: DecoderLaneOptions): DecoderLane {
  const decoders = new Set<DecoderProcess>();
  /** Each with what will end it, if anything. */
  const idle = new Map<DecoderProcess, NodeJS.Timeout | undefined>();
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
  const forgetIdle = (decoder: DecoderProcess): boolean => {
    clearTimeout(idle.get(decoder));
    return idle.delete(decoder);
  };
  const takeDecoder = (): DecoderProcess => {
    if (closed) throw new DecodeError('CRASHED', 'The decoders were shut down.');
    for (const decoder of idle.keys()) {
      forgetIdle(decoder);
      if (decoder.isAlive()) return decoder;
    }
    const decoder = startDecoder(limits, confinement?.openBox('read') ?? unconfined);
    decoders.add(decoder);
    void decoder.gone.then(() => decoders.delete(decoder) && forgetIdle(decoder));
    return decoder;
  };
  const giveDecoder = (decoder: DecoderProcess): void => {
    if (!decoder.isAlive()) return;
    idle.set(decoder, idleMs === undefined ? undefined : setTimeout(() => decoder.kill(), idleMs).unref());
  };

  return {
    async render(request) {
      await takeSlot();
      try {
        const decoder = takeDecoder();
        return await decoder.render(request, timeoutMs).finally(() => giveDecoder(decoder));
      } finally {
        giveSlot();
      }
    },
    childPids: () => [...decoders].flatMap(({ pid }) => pid() ?? []),
    async close() {
      closed = true;
      for (const decoder of decoders) decoder.kill();
      await Promise.all([...decoders].map(({ gone }) => gone));
    },
  };
}
