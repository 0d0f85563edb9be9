import type { ErrorCode } from '@hearth/contract/errors.ts';

/** One invalid value of a request. */
export interface RequestProblem {
  readonly path: string;
  readonly message: string;
}

/** Error response of the API. Without a response, `status` is 0 and `code` is `UNREACHABLE`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode | 'UNREACHABLE';
  /** `Retry-After`, in seconds. */
  readonly retryAfterSeconds: number | undefined;
  /** Request id, to find the request in the server log. */
  readonly requestId: string | undefined;
  /** Invalid values of a bad request. Paths are like `body.name`. */
  readonly problems: readonly RequestProblem[];

  constructor(fields: {
    readonly status: number;
    readonly code: ErrorCode | 'UNREACHABLE';
    readonly message: string;
    readonly retryAfterSeconds?: number | undefined;
    readonly requestId?: string | undefined;
    readonly problems?: readonly RequestProblem[] | undefined;
    readonly cause?: unknown;
  }) {
    super(fields.message, { cause: fields.cause });
    this.status = fields.status;
    this.code = fields.code;
    this.retryAfterSeconds = fields.retryAfterSeconds;
    this.requestId = fields.requestId;
    this.problems = fields.problems ?? [];
  }
}

/** Reads an error response. Returns an `INTERNAL` error if the body is not in the API's format. */
export const readApiError = async (response: Response): Promise<ApiError> => {
  const body = (await response.json().catch(() => ({}))) as {
    readonly message?: string;
    readonly code?: ErrorCode;
    readonly requestId?: string;
    readonly errors?: readonly RequestProblem[];
  };
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return new ApiError({
    status: response.status,
    code: body.code ?? 'INTERNAL',
    message: body.message ?? response.statusText,
    requestId: body.requestId,
    problems: body.errors,
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
  });
};
