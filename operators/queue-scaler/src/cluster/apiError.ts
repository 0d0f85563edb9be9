import { ApiException } from '@kubernetes/client-node';

/** An error status of the API server. */
export class ApiError extends Error {
  readonly status: number;
  /** Delay that the server requests before the next request. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, status: number, retryAfterMs?: number) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Returns true if the error has one of these statuses. */
export const isApiError = (error: unknown, ...statuses: readonly number[]): error is ApiError =>
  error instanceof ApiError && statuses.includes(error.status);

/**
 * Converts the library's error to an ApiError with the message of the API server, because the library's message
 * contains every header. Returns other errors unchanged.
 */
export const toApiError = (error: unknown): unknown => {
  if (!(error instanceof ApiException)) return error;
  const { code, body, headers } = error as ApiException<unknown>;
  const seconds = Number(headers['retry-after']);
  return new ApiError(`${code} ${getMessage(body)}`, code, seconds > 0 ? seconds * 1_000 : undefined);
};

/** Returns the message of a Status. The body may not be deserialized, and a proxy's error is not a Status at all. */
export const getMessage = (body: unknown): string => {
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? '');
  try {
    return (JSON.parse(text) as { message?: string } | null)?.message ?? text.slice(0, 200);
  } catch {
    return text.slice(0, 200);
  }
};

/** Maps 404, and the other given statuses, to undefined. */
export const undefinedOnStatus = async <Result>(
  response: Promise<Result>,
  ...statuses: number[]
): Promise<Result | undefined> => {
  try {
    return await response;
  } catch (error) {
    if (isApiError(error, 404, ...statuses)) return undefined;
    throw error;
  }
};
