import { setTimeout as sleep } from 'node:timers/promises';
import type { UploadRow } from '@hearth/core/db/schema.ts';
import { askForUpload, claimUpload, releaseUpload, renewUploadClaim, type UploadClaim } from './uploadClaims.ts';
import { getUpload } from './queries.ts';
import { AppError } from '@hearth/core/log/errors.ts';
import type { Deps } from '../../deps/deps.ts';

/*
 * One request at a time works on an upload, on whichever replica. A second request is mostly the same client after a lost connection. It
 * asks the first request to end; that one notices within a second, keeps the bytes that it has received, and ends. When a process is gone,
 * its claim expires. Correctness depends on none of these times: every write carries the claim.
 */

/** Milliseconds until a claim expires that is not renewed. */
const leaseMs = 5_000;

/** Milliseconds between two renewals of a claim; with each, its holder also looks whether another request asks for the upload. */
const renewMs = 1_000;

/** Milliseconds that a request waits for another one to end. */
const patienceMs = 15_000;

/** Milliseconds that an answer waits until the claim is released: where the database is away, the answer is promised soon. */
const releaseMs = 250;

/** Milliseconds between two looks: the first pause, which doubles up to the longest. */
const pauseMs = { first: 20, longest: 250 } as const;

/** An upload that only this request works on; disposing of it releases the claim. */
export interface HeldUpload extends AsyncDisposable {
  readonly claim: UploadClaim;
  /** The upload's row at the moment of the claim. */
  readonly upload: UploadRow;
  /** The request that holds it; undefined for housekeeping. */
  readonly requestId: string | undefined;
  /** Aborted when the work has to end early; the reason is the error to answer. The bytes received by then are to be kept. */
  readonly ending: AbortSignal;
}

/** A request to work on an upload. */
export interface UploadRequest {
  readonly userId: string;
  readonly id: string;
  readonly requestId?: string;
  /** The byte from which the client continues, if it does. A request with an outdated offset ends no other request. */
  readonly offset?: number;
  /** Aborted when the client is gone; the reason is the error to answer. */
  readonly signal: AbortSignal;
}

/**
 * Waits until no other request has the upload, or its claim has expired.
 * @throws NotFoundError, AppError UPLOAD_GONE, WRONG_OFFSET or UPLOAD_LOCKED
 */
export const holdUpload = async (deps: Deps, request: UploadRequest): Promise<HeldUpload> => {
  const { userId, id, requestId, offset, signal } = request;
  const giveUpAt = Date.now() + patienceMs;
  for (let pause: number = pauseMs.first; ; pause = Math.min(2 * pause, pauseMs.longest)) {
    const held = await claimUpload(deps.db, userId, id, leaseMs);
    if (held !== undefined) return keep(deps, { ...held, requestId });
    const upload = await getUpload(deps.db, userId, id);
    if (upload.expires_at <= new Date()) throw new AppError('UPLOAD_GONE', 'the upload has expired');
    if (offset !== undefined && offset < upload.received_bytes) throw wrongOffset(upload.received_bytes);
    if (Date.now() >= giveUpAt || deps.state.isStopping) throw locked();
    await askForUpload(deps.db, userId, id);
    await sleep(pause, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
};

/** The error that tells the client from which byte to continue. */
export const wrongOffset = (receivedBytes: number): AppError =>
  new AppError('WRONG_OFFSET', `the upload goes on from byte ${receivedBytes}`);

/** The error that another request has the upload. */
export const locked = (): AppError => new AppError('UPLOAD_LOCKED', undefined, { retryAfterSeconds: 1 });

const keep = (deps: Deps, held: Pick<HeldUpload, 'claim' | 'upload' | 'requestId'>): HeldUpload => {
  const { claim } = held;
  const ending = new AbortController();
  let isRenewing = false;
  const renew = async (): Promise<void> => {
    if (deps.state.isStopping) {
      ending.abort(
        new AppError('UNAVAILABLE', 'the server is being restarted; go on elsewhere', { retryAfterSeconds: 1 }),
      );
    }
    // The claim is renewed also while the work ends, since the received bytes are still to be kept.
    if (isRenewing) return;
    isRenewing = true;
    try {
      if ((await renewUploadClaim(deps.db, claim, leaseMs)) !== 'held') ending.abort(locked());
    } catch {
      // If the database is away, the next write says so.
    } finally {
      isRenewing = false;
    }
  };
  const timer = setInterval(() => void renew(), renewMs);
  return {
    ...held,
    ending: ending.signal,
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      // If this fails, the claim expires.
      const released = releaseUpload(deps.db, claim).catch(() => undefined);
      await Promise.race([released, sleep(releaseMs, undefined, { ref: false })]);
    },
  };
};
