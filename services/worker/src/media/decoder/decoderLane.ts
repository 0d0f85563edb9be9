import { unconfined, type Confinement } from '../sandbox/confinement/confinement.ts';
import { startDecoder, type DecoderProcessOptions } from './decoderProcess.ts';
import type { AnswerTo, DecoderRequest } from './decoderProtocol.ts';
import { openOwnedChildren } from '../sandbox/processes/ownedChildren.ts';

/** The number of a lane's decoders, and the limits of one decode. */
export interface DecoderLaneOptions extends DecoderProcessOptions {
  /** Files decoded at the same time, each in a process of its own. */
  readonly size: number;
  /** The most children, idle ones included, while several owners have files in turn. */
  readonly most: number;
  /** Milliseconds for one decode, without the wait for a free child. */
  readonly timeoutMs: number;
  /** Milliseconds until an idle child is ended to free its memory; a minute, unless told otherwise. */
  readonly idleMs?: number;
  /** Undefined: children may do whatever this process may. */
  readonly confinement?: Confinement;
}

/** A queue of files (photos, videos, previews) and the child processes that decode them. */
export interface DecoderLane {
  /** Sends a request to a child that has seen no file of another owner. `patience` multiplies its time limit. @throws DecodeError */
  ask<Request extends DecoderRequest>(ownerId: string, request: Request, patience?: number): Promise<AnswerTo<Request>>;
  childPids(): number[];
  /** Kills every child and waits until it is gone; what is unfinished rejects as `CRASHED`. */
  close(): Promise<void>;
}

/**
 * Opens a lane. Its children start when they are first needed, are kept for further files of their owner, and are replaced when they die.
 *
 * Built on `child_process` and not on the library workerpool (10.0.3), which was tried first. There, after a child crashed, the queue
 * stands still until the next call; a child that died while idle makes the next request fail; and a blocked child lives two seconds past its
 * time limit.
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
    ask: (ownerId, request, patience = 1) =>
      children.use(ownerId, (decoder) => decoder.ask(request, timeoutMs * patience)),
    childPids: () => children.list().flatMap(({ pid }) => pid() ?? []),
    close: () => children.close('all'),
  };
}
