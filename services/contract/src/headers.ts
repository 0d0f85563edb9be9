import { z } from 'zod';
import { extensible } from './scalars.ts';
import { searchModes } from './vocabulary.ts';

const describe = (id: string, description: string, schema: z.ZodType = z.string()) =>
  schema.meta({ description, header: { id } });

/** Response headers that clients may rely on. */
export const responseHeaders = {
  'X-Request-Id': describe(
    'RequestId',
    'The id of this request: the one in the request’s `X-Request-Id` if it was well formed, else a new one.',
  ),
  Link: describe(
    'Link',
    'RFC 8288: the address of the following page as `rel="next"`; left out on the last page.',
    z.string().optional(),
  ),
  'X-Total-Count': describe('TotalCount', 'How many items the whole list has.', z.int().min(0)),
  'X-Revision': describe('Revision', 'The `revision` of the group when its items were read.'),
  'X-Search-Mode': describe(
    'SearchMode',
    'By what was searched: `meaning`, what words mean included, or `text`, words and dates alone.',
    z.enum(searchModes).meta(extensible),
  ),
  Location: describe(
    'Location',
    'The address of what was made or found: a path, where the server does not know its public address.',
  ),
  'WWW-Authenticate': describe('WwwAuthenticate', 'How to sign in: `Bearer` or `Basic`.'),
  'Retry-After': describe('RetryAfter', 'After how many seconds the request may be repeated.', z.int().min(0)),
  'Set-Cookie': describe(
    'SetCookie',
    'The cookie `hearth_session`, or its end; only for a request with `X-Hearth-Session`.',
    z.string().optional(),
  ),
  'Clear-Site-Data': describe(
    'ClearSiteData',
    'Has a browser forget the pictures that it keeps of whoever was signed in: `"cache"`; only for a request with `X-Hearth-Session`, where a session has ended.',
    z.string().optional(),
  ),
  ETag: describe('ETag', 'Changes when the bytes change; for `If-None-Match` and `If-Range`.'),
  'Cache-Control': describe('CacheControl', 'How long the answer may be kept, by the asking client alone.'),
  'Accept-Ranges': describe('AcceptRanges', 'Always `bytes`.'),
  'Content-Range': describe('ContentRange', 'Which bytes of how many; for 416 only how many.'),
  'Tus-Resumable': describe('TusResumable', 'The version of the tus protocol that is spoken here: `1.0.0`.'),
  'Tus-Version': describe('TusVersion', 'The versions of the tus protocol that are understood.'),
  'Tus-Extension': describe('TusExtension', 'The extensions of the tus protocol that are understood.'),
  'Tus-Max-Size': describe('TusMaxSize', 'The most bytes that an upload may have.', z.int().min(0)),
  'Tus-Checksum-Algorithm': describe('TusChecksumAlgorithm', 'What `Upload-Checksum` may be made by.'),
  'Upload-Offset': describe('UploadOffset', 'How many bytes have arrived and are kept.', z.int().min(0)),
  'Upload-Length': describe('UploadLength', 'How many bytes the whole file has.', z.int().min(0)),
  'Upload-Metadata': describe('UploadMetadata', 'As it was sent when the upload began.', z.string().optional()),
  'Upload-Expires': describe('UploadExpires', 'Until when the upload can be gone on with, as in `Expires`.'),
  'Hearth-Media-Item-Id': describe(
    'HearthMediaItemId',
    'The media item that the finished upload has become, or that had these bytes already.',
    z.string().optional(),
  ),
} as const satisfies Record<string, z.ZodType>;
export type ResponseHeader = keyof typeof responseHeaders;

export const largeAnswerHeaders = z.object({
  'If-None-Match': z.string().optional().meta({ description: 'The `ETag` of the client’s copy.' }),
});
