import { ApiException } from '@kubernetes/client-node';

/** What the API server refused. */
export class ApiError extends Error {
  readonly status: number;
  /** For how long the server wants to be left alone. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, status: number, retryAfterMs?: number) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Whether the API server said that. */
export const isApiError = (error: unknown, ...statuses: readonly number[]): error is ApiError =>
  error instanceof ApiError && statuses.includes(error.status);

/** An ApiError where the API server refused, with what it says itself: the library's own message holds every header, too. Else the error as it is. */
export const describeError = (error: unknown): unknown => {
  if (!(error instanceof ApiException)) return error;
  const { code, body, headers } = error as ApiException<unknown>;
  const seconds = Number(headers['retry-after']);
  return new ApiError(`${code} ${messageOf(body)}`, code, seconds > 0 ? seconds * 1_000 : undefined);
};

/** What a Status says, which is not always deserialized; not every refusal is from the API server itself. */
export const messageOf = (body: unknown): string => {
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? '');
  try {
    return (JSON.parse(text) as { message?: string } | null)?.message ?? text.slice(0, 200);
  } catch {
    return text.slice(0, 200);
  }
};
