import { z } from 'zod';
import { extensible } from './scalars.ts';
import { searchModes } from './vocabulary.ts';

const describe = (id: string, description: string, schema: z.ZodType = z.string()) =>
  schema.meta({ description, header: { id } });

/** Response headers that clients may rely on. */
export const responseHeaders = {
  'X-Request-Id': describe(
    'RequestId',
    'The id of this request: the request’s `X-Request-Id` if it was valid, otherwise a new one.',
  ),
  Link: describe(
    'Link',
    'RFC 8288: the URL of the next page as `rel="next"`; omitted on the last page.',
    z.string().optional(),
  ),
  'X-Total-Count': describe('TotalCount', 'The total number of items in the list.', z.int().min(0)),
  'X-Revision': describe('Revision', 'The `revision` of the group when its items were read.'),
  'X-Search-Mode': describe(
    'SearchMode',
    'How the search was done: `meaning` includes semantic search, `text` only words and dates.',
    z.enum(searchModes).meta(extensible),
  ),
  Location: describe(
    'Location',
    'The URL of the created or existing resource; a path if the server does not know its public URL.',
  ),
  'WWW-Authenticate': describe('WwwAuthenticate', 'The authentication scheme: `Bearer` or `Basic`.'),
  'Retry-After': describe('RetryAfter', 'Seconds after which the request may be repeated.', z.int().min(0)),
  'Set-Cookie': describe(
    'SetCookie',
    'Sets or deletes the cookie `hearth_session`; only for a request with `X-Hearth-Session`.',
    z.string().optional(),
  ),
  'Clear-Site-Data': describe(
    'ClearSiteData',
    '`"cache"` makes browsers clear the pictures of the user who was signed in; only for a request with `X-Hearth-Session` after the end of a session.',
    z.string().optional(),
  ),
  ETag: describe('ETag', 'Changes when the bytes change; for `If-None-Match` and `If-Range`.'),
  'Cache-Control': describe(
    'CacheControl',
    'How long the client may cache the response; only the client, not proxies.',
  ),
  'Accept-Ranges': describe('AcceptRanges', 'Always `bytes`.'),
  'Content-Range': describe('ContentRange', 'The range and the total size; only the total size for 416.'),
  'Tus-Resumable': describe('TusResumable', 'The version of the tus protocol: `1.0.0`.'),
  'Tus-Version': describe('TusVersion', 'The supported versions of the tus protocol.'),
  'Tus-Extension': describe('TusExtension', 'The supported extensions of the tus protocol.'),
  'Tus-Max-Size': describe('TusMaxSize', 'The maximum size of an upload in bytes.', z.int().min(0)),
  'Tus-Checksum-Algorithm': describe('TusChecksumAlgorithm', 'The supported algorithms for `Upload-Checksum`.'),
  'Upload-Offset': describe('UploadOffset', 'Number of bytes received and kept.', z.int().min(0)),
  'Upload-Length': describe('UploadLength', 'Size of the whole file in bytes.', z.int().min(0)),
  'Upload-Metadata': describe('UploadMetadata', 'The value from the creation of the upload.', z.string().optional()),
  'Upload-Expires': describe('UploadExpires', 'When the upload expires, in the format of `Expires`.'),
  'Hearth-Media-Item-Id': describe(
    'HearthMediaItemId',
    'The media item of the finished upload, new or existing.',
    z.string().optional(),
  ),
} as const satisfies Record<string, z.ZodType>;
export type ResponseHeader = keyof typeof responseHeaders;

export const largeResponseHeaders = z.object({
  'If-None-Match': z.string().optional().meta({ description: 'The `ETag` of the client’s copy.' }),
});
