import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { bodyErrors, fullErrors, inputErrors, serverErrors } from './errors.ts';
import { queryInteger } from './query.ts';
import { Id } from './scalars.ts';

/** The version of the tus protocol that is spoken, in requests and answers. */
export const tusVersion = '1.0.0';

/** What `Upload-Checksum` may be made by. */
export const checksumAlgorithms = ['sha1', 'sha256', 'md5'] as const;
export type ChecksumAlgorithm = (typeof checksumAlgorithms)[number];

/** The content type of the bytes of an upload. */
const uploadType = 'application/offset+octet-stream';

/** What names one upload in a path. */
const UploadParams = z.object({ id: Id });

/** What every request of the protocol says. */
export const TusHeaders = z.object({
  // What it has to be is told by 412 and not by 400, so any text is let through here.
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
      'and the checksum in base64. Where it does not fit, 460, and nothing of the request is kept.',
    example: 'sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=',
  });

const byteCount = queryInteger(0, Number.MAX_SAFE_INTEGER);

/** What a client says when it begins an upload. */
export const NewUploadHeaders = TusHeaders.extend({
  'Upload-Length': byteCount.meta({
    description: 'The size of the whole file in bytes. `Upload-Defer-Length` and `Upload-Concat` are 400.',
  }),
  'Upload-Metadata': z
    .string()
    .optional()
    .meta({
      description:
        'Pairs of a name and a value in base64, joined by commas: `filename`, `creationTime` and `description`, as in ' +
        'an upload in one request. `filename` is cleaned as the `filename` of a media item says. Other names are kept and have no effect.',
      example: 'filename cGhvdG8uanBn,creationTime MjAyMi0wNC0wM1QxMjo1NjoxMSswNTozMA==',
    }),
  'Upload-Checksum': UploadChecksum,
});

/** What a client says when it goes on with an upload. */
export const UploadHeaders = TusHeaders.extend({
  'Upload-Offset': byteCount.meta({ description: 'From which byte on it goes on; that of the server, or 409.' }),
  'Upload-Checksum': UploadChecksum,
});

/** The errors of every request about one upload. */
const uploadErrors = [
  'UNAUTHORIZED',
  'NOT_FOUND',
  'UPLOAD_GONE',
  'TUS_VERSION_UNSUPPORTED',
  'UPLOAD_LOCKED',
  ...serverErrors,
] as const;

/** What can come of bytes. */
const receivingErrors = [...bodyErrors, 'NOT_MEDIA', 'CHECKSUM_MISMATCH', ...fullErrors] as const;

export const getUploadOptions = defineRoute({
  operationId: 'getUploadOptions',
  method: 'options',
  path: '/v1/uploads',
  summary: 'Ask what of the tus protocol is understood',
  tag: 'uploads',
  auth: 'none',
  responses: {
    204: {
      description: 'The headers say it.',
      headers: ['Tus-Resumable', 'Tus-Version', 'Tus-Extension', 'Tus-Max-Size', 'Tus-Checksum-Algorithm'],
    },
  },
  errors: ['INTERNAL'],
});

export const createUpload = defineRoute({
  operationId: 'createUpload',
  method: 'post',
  path: '/v1/uploads',
  summary: 'Begin an upload',
  description:
    'The request may carry the first bytes, or all of them. Should anything go wrong with these, the upload has not begun. ' +
    'An upload that is not gone on with for seven days is given up.',
  tag: 'uploads',
  auth: 'bearer',
  requestHeaders: NewUploadHeaders,
  body: { binary: uploadType, isOptional: true },
  example: {
    headers: { 'Tus-Resumable': '1.0.0', 'Upload-Length': '$SIZE', 'Upload-Metadata': 'filename cGhvdG8uanBn' },
  },
  responses: {
    201: {
      description: 'The upload can be gone on with at its `Location`.',
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
  summary: 'Ask how far an upload has come',
  description:
    'A request that is still at work on the upload is ended by this; what it has received is kept and counted.',
  tag: 'uploads',
  auth: 'bearer',
  params: UploadParams,
  requestHeaders: TusHeaders,
  example: { params: { id: '$UPLOAD' }, headers: { 'Tus-Resumable': '1.0.0' } },
  responses: {
    200: {
      description: 'The headers say it.',
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
  summary: 'Go on with an upload',
  description:
    'What has arrived when a request breaks off is kept, unless it has an `Upload-Checksum`. With the last byte the file ' +
    'becomes a media item; the same bytes again are the same item, restored if it was in the trash. A file that is no ' +
    'photo or video is refused as soon as its first bytes tell, and its upload is given up.',
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
  summary: 'Give an upload up',
  description: 'What has arrived is removed. The media item of an upload that is finished stays.',
  tag: 'uploads',
  auth: 'bearer',
  params: UploadParams,
  requestHeaders: TusHeaders,
  example: { params: { id: '$UPLOAD' }, headers: { 'Tus-Resumable': '1.0.0' } },
  responses: { 204: { description: 'Given up.', headers: ['Tus-Resumable'] } },
  errors: [...inputErrors, ...uploadErrors],
});
