import { setTimeout as sleep } from 'node:timers/promises';
import type { UploadRow } from '@hearth/core/db/schema.ts';
import { requestClaim, claimUpload, releaseUpload, renewUploadClaim, type UploadClaim } from './uploadClaims.ts';
import { getUpload } from './queries.ts';
import { AppError } from '@hearth/core/log/errors.ts';
import type { Deps } from '../../deps/deps.ts';

/*
 * Only one request at a time works on an upload, across all replicas. A second request usually comes from the same
 * client after a lost connection. It requests the claim, which ends the first request within a second, without losing
 * received bytes. If a process dies, its claim expires. Correctness does not depend on these times: every write carries the
 * claim.
 */

/** Duration of a claim without renewal, in ms. */
const leaseMs = 5_000;

/** Renewal interval, in ms. Each renewal also checks whether another request wants the claim. */
const renewMs = 1_000;

/** Maximum wait for another request to end, in ms. */
const claimTimeoutMs = 15_000;

/** Maximum wait for the release of a claim, in ms: if the database is unavailable, the response must not be delayed. */
const releaseTimeoutMs = 250;

/** Poll interval, in ms, doubled from `first` up to `longest`. */
const pauseMs = { first: 20, longest: 250 } as const;

/** An upload claimed by this request. Disposing releases the claim. */
export interface ClaimedUpload extends AsyncDisposable {
  readonly claim: UploadClaim;
  /** The upload's row at the time of the claim. */
  readonly upload: UploadRow;
  /** Id of the request. Undefined for housekeeping. */
  readonly requestId: string | undefined;
  /** Aborted to end the work early. The reason is the error of the response. Bytes received by then must be kept. */
  readonly endSignal: AbortSignal;
}

/** A request to work on an upload. */
export interface UploadRequest {
  readonly userId: string;
  readonly id: string;
  readonly requestId?: string;
  /** Offset from which the client continues. A request with an outdated offset does not end others. */
  readonly offset?: number;
  /** Aborted when the client disconnects, with the error as reason. */
  readonly signal: AbortSignal;
}

/**
 * Claims an upload, waiting for other requests to end or their claims to expire.
 * @throws NotFoundError
 * @throws AppError UPLOAD_GONE, WRONG_OFFSET or UPLOAD_LOCKED
 */
export const acquireUpload = async (deps: Deps, request: UploadRequest): Promise<ClaimedUpload> => {
  const { userId, id, requestId, offset, signal } = request;
  const deadline = Date.now() + claimTimeoutMs;
  for (let pause: number = pauseMs.first; ; pause = Math.min(2 * pause, pauseMs.longest)) {
    const claimed = await claimUpload(deps.db, userId, id, leaseMs);
    if (claimed !== undefined) return keepClaimed(deps, { ...claimed, requestId });
    const upload = await getUpload(deps.db, userId, id);
    if (upload.expires_at <= new Date()) throw new AppError('UPLOAD_GONE', 'the upload has expired');
    if (offset !== undefined && offset < upload.received_bytes) throw wrongOffsetError(upload.received_bytes);
    if (Date.now() >= deadline || deps.state.isStopping) throw lockedError();
    await requestClaim(deps.db, userId, id);
    await sleep(pause, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
};

/** Error with the offset to continue from. */
export const wrongOffsetError = (receivedBytes: number): AppError =>
  new AppError('WRONG_OFFSET', `expected Upload-Offset ${receivedBytes}`);

/** Error for an upload that another request works on. */
export const lockedError = (): AppError => new AppError('UPLOAD_LOCKED', undefined, { retryAfterSeconds: 1 });

const keepClaimed = (deps: Deps, claimed: Pick<ClaimedUpload, 'claim' | 'upload' | 'requestId'>): ClaimedUpload => {
  const { claim } = claimed;
  const ending = new AbortController();
  let isRenewing = false;
  const renew = async (): Promise<void> => {
    if (deps.state.isStopping) {
      ending.abort(
        new AppError('UNAVAILABLE', 'the server is restarting; resume the upload', { retryAfterSeconds: 1 }),
      );
    }
    // Renews even while the work ends, because received bytes are still being stored.
    if (isRenewing) return;
    isRenewing = true;
    try {
      if ((await renewUploadClaim(deps.db, claim, leaseMs)) !== 'held') ending.abort(lockedError());
    } catch {
      // If the database is unavailable, the next write fails.
    } finally {
      isRenewing = false;
    }
  };
  const timer = setInterval(() => void renew(), renewMs);
  return {
    ...claimed,
    endSignal: ending.signal,
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      // If this fails, the claim expires.
      const released = releaseUpload(deps.db, claim).catch(() => undefined);
      await Promise.race([released, sleep(releaseTimeoutMs, undefined, { ref: false })]);
    },
  };
};
