import type { ErrorCode } from '@hearth/contract/errors.ts';

/** One value of a request that the API refused, and why. */
export interface RequestProblem {
  readonly path: string;
  readonly message: string;
}

/** An answer of the API that is no success; `status` is 0 and `code` is `UNREACHABLE` when there was no answer. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode | 'UNREACHABLE';
  /** After how many seconds the server asks to be tried again. */
  readonly retryAfterSeconds: number | undefined;
  /** For whoever runs the server: by this id its log tells what happened. */
  readonly requestId: string | undefined;
  /** What is wrong with a bad request, by paths such as `body.name`. */
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

/** The error that an answer of the API describes; an answer that is not in the API's shape is an internal error. */
export const readApiError = async (answer: Response): Promise<ApiError> => {
  const body = (await answer.json().catch(() => ({}))) as {
    readonly message?: string;
    readonly code?: ErrorCode;
    readonly requestId?: string;
    readonly errors?: readonly RequestProblem[];
  };
  const retryAfter = Number(answer.headers.get('Retry-After') ?? Number.NaN);
  return new ApiError({
    status: answer.status,
    code: body.code ?? 'INTERNAL',
    message: body.message ?? answer.statusText,
    requestId: body.requestId,
    problems: body.errors,
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
  });
};
