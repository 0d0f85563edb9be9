import type { ErrorCode } from '@hearth/contract/errors.ts';
import { DetailedError } from 'tus-js-client';
import { ApiError } from '../../../lib/api/apiError.ts';
import type { Reason } from '../plan/uploadFile.ts';

/**
 * Outcome of sending a file.
 * - `interrupted`: it was stopped or paused here.
 * - `lost`: the server no longer has the upload; start a new one.
 * - `refused`: this file can never be stored.
 * - `hindered`: retry this file later.
 * - `held`: the error affects all files; retry them later.
 * - `halted`: no upload can succeed before the user acts.
 */
export type SendOutcome =
  | { readonly kind: 'sent' | 'interrupted' | 'lost' }
  | { readonly kind: 'refused' | 'halted' | 'hindered'; readonly reason: Reason }
  | { readonly kind: 'held'; readonly reason: Reason; readonly retryAfterSeconds: number | undefined };

/** Error response. `status` is 0 without a response. */
interface Refusal {
  readonly status: number;
  readonly code: ErrorCode | undefined;
  readonly retryAfterSeconds: number | undefined;
}

export const toOutcome = (error: unknown): SendOutcome => getOutcome(toRefusal(error));

/** Uses the error code where a status is ambiguous. Proxies in front of Hearth send only a status. */
export const getOutcome = ({ status, code, retryAfterSeconds }: Refusal): SendOutcome => {
  const hold = (reason: Reason): SendOutcome => ({ kind: 'held', reason, retryAfterSeconds });
  if (code === 'NOT_MEDIA') return { kind: 'refused', reason: 'notMedia' };
  if (code === 'QUOTA_EXCEEDED') return { kind: 'halted', reason: 'quotaExceeded' };
  switch (status) {
    case 0:
      return hold('unreachable');
    case 401:
      return { kind: 'halted', reason: 'signedOut' };
    case 404:
    case 410:
      return { kind: 'lost' };
    case 413:
      return { kind: 'refused', reason: 'tooLarge' };
    case 409:
    case 423:
      return delay('busy');
    case 429:
    case 502:
    case 503:
    case 504:
      return hold('busy');
    case 460:
      return delay('damagedOnTheWay');
    case 507:
      return { kind: 'halted', reason: 'storageFull' };
    default:
      return status >= 500 ? delay('server') : { kind: 'refused', reason: 'server' };
  }
};

const delay = (reason: Reason): SendOutcome => ({ kind: 'hindered', reason });

function toRefusal(error: unknown): Refusal {
  if (error instanceof ApiError) {
    const { status, code, retryAfterSeconds } = error;
    return { status, code: code === 'UNREACHABLE' ? undefined : code, retryAfterSeconds };
  }
  if (!(error instanceof DetailedError)) return { status: 0, code: undefined, retryAfterSeconds: undefined };
  // The token refresh before each request throws its own errors.
  if (error.causingError instanceof ApiError) return toRefusal(error.causingError);
  const response = error.originalResponse;
  const retryAfter = Number(response?.getHeader('Retry-After') ?? Number.NaN);
  return {
    status: response?.getStatus() ?? 0,
    code: readCode(response?.getBody()),
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
  };
}

function readCode(body: string | undefined): ErrorCode | undefined {
  try {
    return (JSON.parse(body ?? '') as { readonly code?: ErrorCode }).code;
  } catch {
    return undefined;
  }
}
