import { setTimeout as sleep } from 'node:timers/promises';
import type { UploadRow } from '@hearth/core/db/connection/schema.ts';
import {
  askForUpload,
  claimUpload,
  releaseUpload,
  renewUploadClaim,
  type UploadClaim,
} from '@hearth/core/db/uploads/uploadClaims.ts';
import { getUpload } from '@hearth/core/db/uploads/uploads.ts';
import { AppError } from '@hearth/core/errors.ts';
import type { Deps } from '../deps.ts';

/*
 * One request at a time works on an upload, on whichever replica. A second one, which mostly is the same client after it has lost its
 * connection, asks the first to end; that one sees it within a second, keeps what it has received, and ends. Of a process that is gone the
 * claim runs out. That nothing is written twice depends on none of these times: every write carries the claim.
 */

/** For how long a claim counts that nobody renews. */
const leaseMs = 5_000;

/** How often a claim is renewed, and its holder looks whether somebody asks for it. */
const renewMs = 1_000;

/** How long a request waits for another one to end. */
const patienceMs = 15_000;

/** For how long an answer waits until the upload is free again: where the database is away, it is promised soon. */
const releaseMs = 250;

/** Pauses between two looks: the first, and the longest after doubling. */
const pauseMs = { first: 20, longest: 250 } as const;

/** An upload that this request alone works on; disposing of it gives it back. */
export interface HeldUpload extends AsyncDisposable {
  readonly claim: UploadClaim;
  /** As it was when it was claimed. */
  readonly upload: UploadRow;
  /** Aborted, with the error to answer, when the work has to end early: what is received by then is to be kept. */
  readonly ending: AbortSignal;
}

/** Who wants to work on which upload. */
export interface UploadRequest {
  readonly userId: string;
  readonly id: string;
  /** From which byte on the client goes on, if it does: a request that comes too late ends nobody else's work. */
  readonly offset?: number;
  /** Aborted, with the error to answer, when the client is gone. */
  readonly signal: AbortSignal;
}

/**
 * Waits until the upload is free, or takes it from whoever is gone.
 * @throws NotFoundError, AppError UPLOAD_GONE, WRONG_OFFSET or UPLOAD_LOCKED
 */
export const holdUpload = async (deps: Deps, { userId, id, offset, signal }: UploadRequest): Promise<HeldUpload> => {
  const giveUpAt = Date.now() + patienceMs;
  for (let pause: number = pauseMs.first; ; pause = Math.min(2 * pause, pauseMs.longest)) {
    const held = await claimUpload(deps.db, userId, id, leaseMs);
    if (held !== undefined) return keep(deps, held);
    const upload = await getUpload(deps.db, userId, id);
    if (upload.expires_at <= new Date()) throw new AppError('UPLOAD_GONE', 'the upload has expired');
    if (offset !== undefined && offset < upload.received_bytes) throw wrongOffset(upload.received_bytes);
    if (Date.now() >= giveUpAt || deps.state.isStopping) throw locked();
    await askForUpload(deps.db, userId, id);
    await sleep(pause, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
};

/** Says where the client should have gone on. */
export const wrongOffset = (receivedBytes: number): AppError =>
  new AppError('WRONG_OFFSET', `the upload goes on from byte ${receivedBytes}`);

/** Says that another request has the upload. */
export const locked = (): AppError => new AppError('UPLOAD_LOCKED', undefined, { retryAfterSeconds: 1 });

const keep = (deps: Deps, { claim, upload }: Pick<HeldUpload, 'claim' | 'upload'>): HeldUpload => {
  const ending = new AbortController();
  let isRenewing = false;
  const renew = async (): Promise<void> => {
    if (deps.state.isStopping) {
      ending.abort(
        new AppError('UNAVAILABLE', 'the server is being restarted; go on elsewhere', { retryAfterSeconds: 1 }),
      );
    }
    // Also while the work ends: what is received by then has still to be kept.
    if (isRenewing) return;
    isRenewing = true;
    try {
      if ((await renewUploadClaim(deps.db, claim, leaseMs)) !== 'held') ending.abort(locked());
    } catch {
      // A database that is away is told by whatever is written next.
    } finally {
      isRenewing = false;
    }
  };
  const timer = setInterval(() => void renew(), renewMs);
  return {
    claim,
    upload,
    ending: ending.signal,
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      // If this fails, the claim runs out.
      const released = releaseUpload(deps.db, claim).catch(() => undefined);
      await Promise.race([released, sleep(releaseMs, undefined, { ref: false })]);
    },
  };
};
