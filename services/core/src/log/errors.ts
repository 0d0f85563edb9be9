import { errorCodes, type ErrorCode } from '@hearth/contract/errors.ts';

/** An invalid part of a request, by path such as `body.name`. */
export interface FieldError {
  readonly path: string;
  readonly message: string;
}

/** An error with a response for the client. Only `api/http/errorHandler.ts` converts it. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  /** The invalid parts of a bad request (400), at least one; undefined for other errors. */
  readonly errors: readonly FieldError[] | undefined;
  /** Delay before a retry, in seconds. */
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

/** A resource is missing or hidden from the user: `media item not found`. */
export class NotFoundError extends AppError {
  constructor(thing: string) {
    super('NOT_FOUND', `${thing} not found`);
    this.name = 'NotFoundError';
  }
}

/** A dependency is unavailable. A retry may succeed. */
export class UnavailableError extends AppError {
  constructor(what: string, cause: unknown) {
    super('UNAVAILABLE', `${what} is not reachable`, { cause, retryAfterSeconds: 5 });
    this.name = 'UnavailableError';
  }
}
