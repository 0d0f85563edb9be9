import { z } from 'zod';
import { keyEnum } from './scalars.ts';

/**
 * HTTP status and default message of each error code. A 400 response always lists the invalid parts of the request;
 * `path` is the default. Codes are stable API. Messages may change, except the one of `UNAUTHORIZED`, which must not
 * reveal the reason.
 */
export const errorCodes = {
  MALFORMED_REQUEST: { status: 400, message: 'Request could not be parsed', path: 'body' },
  VALIDATION_FAILED: { status: 400, message: 'Request validation failed; see errors', path: 'body' },
  NOT_MEDIA: { status: 400, message: 'File is not a photo or video', path: 'file' },
  NOT_IN_TRASH: { status: 400, message: 'Item is not in the trash; move it there first', path: 'params.id' },
  UNAUTHORIZED: { status: 401, message: 'Unauthorized' },
  NOT_FOUND: { status: 404, message: 'Not found' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'Method not allowed; see the Allow header' },
  WRONG_OFFSET: { status: 409, message: 'Upload-Offset does not match the stored offset' },
  CONFLICT: { status: 409, message: 'Request conflicts with the current state; reload and try again' },
  UPLOAD_GONE: { status: 410, message: 'Upload expired; start a new one' },
  TUS_VERSION_UNSUPPORTED: { status: 412, message: 'Unsupported tus version; use 1.0.0' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'Request exceeds the size limit of this server' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Unsupported Content-Type' },
  RANGE_NOT_SATISFIABLE: { status: 416, message: 'Requested range is outside the file' },
  UPLOAD_LOCKED: { status: 423, message: 'Upload is locked by another request' },
  TOO_MANY_UPLOADS: { status: 429, message: 'Too many unfinished uploads; finish or delete some' },
  TOO_MANY_ATTEMPTS: { status: 429, message: 'Too many attempts; try again later' },
  CHECKSUM_MISMATCH: { status: 460, message: 'Checksum does not match the received data; send it again' },
  INTERNAL: { status: 500, message: 'Internal server error' },
  ORIGINAL_DAMAGED: {
    status: 500,
    message: 'The stored original is damaged; upload the file again to repair it',
  },
  UNAVAILABLE: { status: 503, message: 'Server is temporarily unavailable; try again soon' },
  STORAGE_FULL: {
    status: 507,
    message: 'Storage is full; delete something to make room',
  },
  QUOTA_EXCEEDED: {
    status: 507,
    message: 'Account storage is full; empty the trash or ask the administrator for more',
  },
} as const satisfies Record<string, CodedError>;

type CodedError =
  | { readonly status: 400; readonly message: string; readonly path: string }
  | { readonly status: Exclude<HttpError, 400>; readonly message: string };

type HttpError = 400 | 401 | 404 | 405 | 409 | 410 | 412 | 413 | 415 | 416 | 423 | 429 | 460 | 500 | 503 | 507;

/** The `code` of an error response. */
export type ErrorCode = keyof typeof errorCodes;

/**
 * Resources that a 404 can name, as in `media item not found`. Another user’s resource results in the same message as a
 * missing one.
 */
export const namedThings = [
  'media item',
  'upload',
  'file',
  'album',
  'place',
  'thing',
  'person',
  'job',
  'user',
  'session',
  'shared link',
  'route',
] as const;
export type NamedThing = (typeof namedThings)[number];

/** Errors of all routes that use the database or the object store. */
export const serverErrors = ['INTERNAL', 'UNAVAILABLE'] as const satisfies readonly ErrorCode[];

/** Errors of all routes that receive files. */
export const fullErrors = ['STORAGE_FULL', 'QUOTA_EXCEEDED'] as const satisfies readonly ErrorCode[];

/** Errors of all routes with parameters in the path or a body: text that cannot be decoded, and invalid values. */
export const inputErrors = ['MALFORMED_REQUEST', 'VALIDATION_FAILED'] as const satisfies readonly ErrorCode[];

/** Errors of all routes with a body. */
export const bodyErrors = [
  ...inputErrors,
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
] as const satisfies readonly ErrorCode[];

export const ErrorBody = z
  .object({
    message: z.string().meta({ description: 'The error, for people.', example: 'media item not found' }),
    code: keyEnum(errorCodes).meta({ description: 'The error, for programs.', example: 'NOT_FOUND' }),
    requestId: z.string().meta({ description: 'The same as `X-Request-Id`; the server log has the details.' }),
    errors: z
      .array(
        z.object({
          path: z.string().meta({
            description:
              'The part of the request: `body.name`, `query.limit`, `params.id`, `headers.Upload-Length`; `body` or `path` if the whole of it cannot be ' +
              'decoded, `file` for a file that is no photo or video.',
            example: 'body.name',
          }),
          message: z.string().meta({ description: 'The problem with this part.' }),
        }),
      )
      .optional()
      .meta({ description: 'The invalid parts of the request; always present with status 400.' }),
  })
  .meta({ id: 'Error', description: 'The body of every error response.' });
export type ErrorBody = z.infer<typeof ErrorBody>;
