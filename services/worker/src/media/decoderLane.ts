import { unconfined, type Confinement } from './confinement/confinement.ts';
import { startDecoder, type DecoderProcessOptions } from './decoderProcess.ts';
import type { AnswerTo, DecoderRequest } from './decoderProtocol.ts';
import { openOwnedChildren } from './ownedChildren.ts';

/** How many decoders a lane has, and what one decode may take. */
export interface DecoderLaneOptions extends DecoderProcessOptions {
  /** Photos decoded at the same time, each in a process of its own. */
  readonly size: number;
  /** Children that are kept at most, while several owners have photos in turn. */
  readonly most: number;
  /** From the moment a child gets the photo; waiting for a free child does not count. */
  readonly timeoutMs: number;
  /** Milliseconds after which a child without work is ended, for its memory's sake; without them it is kept. */
  readonly idleMs?: number;
  /** Without it, children may do what this process may. */
  readonly confinement?: Confinement;
}

/** A queue of photos and the children that take from it. */
export interface DecoderLane {
  /** The child has seen no photo of another owner. @throws DecodeError */
  ask<Request extends DecoderRequest>(ownerId: string, request: Request): Promise<AnswerTo<Request>>;
  childPids(): number[];
  /** Kills every child and waits until it is gone; what is unfinished rejects as `CRASHED`. */
  close(): Promise<void>;
}

/**
 * Opens a lane; its children start when they are first needed, are kept for their owner's photos, and are replaced when they die.
 *
 * Written on `child_process` and not on the library workerpool (10.0.3), which was tried first: there a queue stands
 * still after a child crashed until someone calls again, a child that died while idle fails the next photo, and a
 * blocked child lives two seconds past its time limit.
 */
export function openDecoderLane({
  timeoutMs,
  confinement,
  size,
  most,
  idleMs,
  ...options
}: DecoderLaneOptions): DecoderLane {
  const open = () => startDecoder(options, confinement?.openBox('read') ?? unconfined);
  const children = openOwnedChildren({ open, size, most, idleMs });
  return {
    ask: (ownerId, request) => children.use(ownerId, (decoder) => decoder.ask(request, timeoutMs)),
    childPids: () => children.list().flatMap(({ pid }) => pid() ?? []),
    close: () => children.close('all'),
  };
}
