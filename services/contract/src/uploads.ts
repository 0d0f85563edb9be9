import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { bodyErrors, fullErrors, inputErrors, serverErrors } from './errors.ts';
import { queryInteger } from './query.ts';
import { Id } from './scalars.ts';

/** The supported version of the tus protocol. */
export const tusVersion = '1.0.0';

/** Algorithms for `Upload-Checksum`. */
export const checksumAlgorithms = ['sha1', 'sha256', 'md5'] as const;
export type ChecksumAlgorithm = (typeof checksumAlgorithms)[number];

/** The content type of uploaded bytes. */
const uploadType = 'application/offset+octet-stream';

const UploadParams = z.object({ id: Id });

/** Headers of all requests of the protocol. */
export const TusHeaders = z.object({
  // A wrong version must be 412 and not 400, so the schema accepts any text.
  'Tus-Resumable': z
    .string()
    .optional()
    .meta({ description: `\`${tusVersion}\`; anything else is 412.`, example: tusVersion }),
});

const UploadChecksum = z
  .string()
  .optional()
  .meta({
    description:
      `The checksum of this request’s bytes: ${checksumAlgorithms.map((name) => `\`${name}\``).join(', ')}, a space, ` +
      'and the checksum in base64. If it does not match, the response is 460 and the bytes are discarded.',
    example: 'sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=',
  });

const byteCount = queryInteger(0, Number.MAX_SAFE_INTEGER);

/** Headers that create an upload. */
export const NewUploadHeaders = TusHeaders.extend({
  'Upload-Length': byteCount.meta({
    description:
      'The size of the whole file in bytes. `Upload-Defer-Length` and `Upload-Concat` are not supported (400).',
  }),
  'Upload-Metadata': z
    .string()
    .optional()
    .meta({
      description:
        'Pairs of a name and a value in base64, joined by commas: `filename`, `creationTime` and `description`, as in an upload in one request. ' +
        '`filename` is cleaned as described for the `filename` of a media item. Other names are kept and have no effect.',
      example: 'filename cGhvdG8uanBn,creationTime MjAyMi0wNC0wM1QxMjo1NjoxMSswNTozMA==',
    }),
  'Upload-Checksum': UploadChecksum,
});

/** Headers that continue an upload. */
export const UploadHeaders = TusHeaders.extend({
  'Upload-Offset': byteCount.meta({
    description: 'The position of the first byte. If the server’s offset differs, the response is 409.',
  }),
  'Upload-Checksum': UploadChecksum,
});

/** Errors of all requests for one upload. */
const uploadErrors = [
  'UNAUTHORIZED',
  'NOT_FOUND',
  'UPLOAD_GONE',
  'TUS_VERSION_UNSUPPORTED',
  'UPLOAD_LOCKED',
  ...serverErrors,
] as const;

/** Errors of requests with bytes. */
const receivingErrors = [...bodyErrors, 'NOT_MEDIA', 'CHECKSUM_MISMATCH', ...fullErrors] as const;

export const getUploadOptions = defineRoute({
  operationId: 'getUploadOptions',
  method: 'options',
  path: '/v1/uploads',
  summary: 'Get the supported parts of the tus protocol',
  tag: 'uploads',
  auth: 'none',
  responses: {
    204: {
      description: 'See the headers.',
      headers: ['Tus-Resumable', 'Tus-Version', 'Tus-Extension', 'Tus-Max-Size', 'Tus-Checksum-Algorithm'],
    },
  },
  errors: ['INTERNAL'],
});

export const createUpload = defineRoute({
  operationId: 'createUpload',
  method: 'post',
  path: '/v1/uploads',
  summary: 'Create an upload',
  description:
    'The request may contain the first bytes, or all of them. If these fail, no upload is created. An upload without requests for seven days is cancelled.',
  tag: 'uploads',
  auth: 'bearer',
  requestHeaders: NewUploadHeaders,
  body: { binary: uploadType, isOptional: true },
  example: {
    headers: { 'Tus-Resumable': '1.0.0', 'Upload-Length': '$SIZE', 'Upload-Metadata': 'filename cGhvdG8uanBn' },
  },
  responses: {
    201: {
      description: 'Continue the upload at its `Location`.',
      headers: ['Location', 'Tus-Resumable', 'Upload-Offset', 'Upload-Expires', 'Hearth-Media-Item-Id'],
    },
  },
  errors: [
    ...receivingErrors,
    'UNAUTHORIZED',
    'UPLOAD_GONE',
    'TUS_VERSION_UNSUPPORTED',
    'UPLOAD_LOCKED',
    'TOO_MANY_UPLOADS',
    ...serverErrors,
  ],
});

export const getUpload = defineRoute({
  operationId: 'getUpload',
  method: 'head',
  path: '/v1/uploads/{id}',
  summary: 'Get the offset of an upload',
  description: 'Ends an active request for the upload; the bytes it has received are kept and counted.',
  tag: 'uploads',
  auth: 'bearer',
  params: UploadParams,
  requestHeaders: TusHeaders,
  example: { params: { id: '$UPLOAD' }, headers: { 'Tus-Resumable': '1.0.0' } },
  responses: {
    200: {
      description: 'See the headers.',
      headers: [
        'Tus-Resumable',
        'Upload-Offset',
        'Upload-Length',
        'Upload-Metadata',
        'Upload-Expires',
        'Cache-Control',
        'Hearth-Media-Item-Id',
      ],
    },
  },
  errors: [...inputErrors, ...fullErrors, ...uploadErrors],
});

export const continueUpload = defineRoute({
  operationId: 'continueUpload',
  method: 'patch',
  path: '/v1/uploads/{id}',
  summary: 'Continue an upload',
  description:
    'If a request breaks off, the received bytes are kept, unless it has an `Upload-Checksum`. The last byte turns the file into a media item; ' +
    'the same bytes are the same item, restored if it was in the trash. A file that is no photo or video is rejected as soon as its first bytes ' +
    'show it, and its upload is cancelled.',
  tag: 'uploads',
  auth: 'bearer',
  params: UploadParams,
  requestHeaders: UploadHeaders,
  body: { binary: uploadType },
  example: {
    params: { id: '$UPLOAD' },
    headers: { 'Tus-Resumable': '1.0.0', 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' },
    hasPhoto: true,
  },
  responses: {
    204: {
      description: 'All bytes of the request are kept.',
      headers: ['Tus-Resumable', 'Upload-Offset', 'Upload-Expires', 'Hearth-Media-Item-Id'],
    },
  },
  errors: [...receivingErrors, 'WRONG_OFFSET', ...uploadErrors],
});

export const deleteUpload = defineRoute({
  operationId: 'deleteUpload',
  method: 'delete',
  path: '/v1/uploads/{id}',
  summary: 'Cancel an upload',
  description: 'Deletes the received bytes. The media item of a finished upload stays.',
  tag: 'uploads',
  auth: 'bearer',
  params: UploadParams,
  requestHeaders: TusHeaders,
  example: { params: { id: '$UPLOAD' }, headers: { 'Tus-Resumable': '1.0.0' } },
  responses: { 204: { description: 'Cancelled.', headers: ['Tus-Resumable'] } },
  errors: [...inputErrors, ...uploadErrors],
});
