import { unconfined, type Confinement } from '../sandbox/confinement/confinement.ts';
import { startDecoder, type DecoderProcessOptions } from './decoderProcess.ts';
import type { ResponseTo, DecoderRequest } from './decoderProtocol.ts';
import { openOwnedChildren } from '../sandbox/processes/ownedChildren.ts';

/** Number of children of a queue, and limits of one decode. */
export interface DecoderQueueOptions extends DecoderProcessOptions {
  /** Maximum number of files decoded in parallel, each in its own process. */
  readonly size: number;
  /** Maximum number of children, including idle ones that are kept for several owners. */
  readonly maxChildren: number;
  /** Timeout of one decode, without the wait for a free child. */
  readonly timeoutMs: number;
  /** Idle time after which a child is ended to free its memory. Default: one minute. */
  readonly idleMs?: number;
  /** Sandboxes of the children. Without this field, children have all rights of this process. */
  readonly confinement?: Confinement;
}

/** A queue of files (photos, videos, previews) with the child processes that decode them. */
export interface DecoderQueue {
  /** Sends a request to a child that has opened no file of another owner. `timeoutFactor` multiplies the timeout. @throws DecodeError */
  request<Request extends DecoderRequest>(
    ownerId: string,
    request: Request,
    timeoutFactor?: number,
  ): Promise<ResponseTo<Request>>;
  childPids(): number[];
  /** Kills all children and waits until they have ended. Pending requests reject with `CRASHED`. */
  close(): Promise<void>;
}

/**
 * Opens a queue. Children start on demand, are kept for further files of the same owner, and are replaced when they die.
 * Uses `child_process` because the library workerpool (10.0.3) failed in tests: after a child crashed, its queue stopped until the next call. After a
 * child died while idle, the next request failed. A blocked child lived two seconds past its timeout.
 */
export function openDecoderQueue({
  timeoutMs,
  confinement,
  size,
  maxChildren,
  idleMs,
  ...options
}: DecoderQueueOptions): DecoderQueue {
  const open = () => startDecoder(options, confinement?.createSandbox('read') ?? unconfined);
  const children = openOwnedChildren({ open, size, maxChildren, idleMs });
  return {
    request: (ownerId, request, timeoutFactor = 1) =>
      children.use(ownerId, (decoder) => decoder.request(request, timeoutMs * timeoutFactor)),
    childPids: () => children.list().flatMap(({ pid }) => pid() ?? []),
    close: () => children.close('all'),
  };
}
