import { errorCodes, type ErrorCode } from '@hearth/contract/errors.ts';

/** What was wrong with one part of a request, by path: `body.name`. */
export interface FieldError {
  readonly path: string;
  readonly message: string;
}

/** An error with an answer for the client; only `api/http/errorHandler.ts` turns it into one. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  /** The faults of a bad request (400), at least one; undefined for every other error. */
  readonly errors: readonly FieldError[] | undefined;
  /** Seconds after which the client may try again. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message?: string,
    options: { cause?: unknown; errors?: readonly FieldError[]; retryAfterSeconds?: number } = {},
  ) {
    super(message ?? errorCodes[code].message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = errorCodes[code].status;
    this.errors = options.errors ?? defaultErrors(code, this.message);
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

const defaultErrors = (code: ErrorCode, message: string): FieldError[] | undefined => {
  const coded = errorCodes[code];
  return 'path' in coded ? [{ path: coded.path, message }] : undefined;
};

/** A thing that is not there, or that the asking user must not know of: `media item not found`. */
export class NotFoundError extends AppError {
  constructor(thing: string) {
    super('NOT_FOUND', `${thing} not found`);
    this.name = 'NotFoundError';
  }
}

/** A dependency is away; the same request may succeed a little later. */
export class UnavailableError extends AppError {
  constructor(what: string, cause: unknown) {
    super('UNAVAILABLE', `${what} is not reachable`, { cause, retryAfterSeconds: 5 });
    this.name = 'UnavailableError';
  }
}
