import { z } from 'zod';

const describe = (id: string, description: string, schema: z.ZodType = z.string()) =>
  schema.meta({ description, header: { id } });

/** Every response header that a client may rely on, with what it says. */
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
  Location: describe('Location', 'The path of what was made or found.'),
  'WWW-Authenticate': describe('WwwAuthenticate', 'How to sign in: `Bearer` or `Basic`.'),
  'Retry-After': describe('RetryAfter', 'After how many seconds the request may be repeated.', z.int().min(0)),
  ETag: describe('ETag', 'Changes when the bytes change; for `If-None-Match` and `If-Range`.'),
  'Cache-Control': describe('CacheControl', 'How long the answer may be kept, by the asking client alone.'),
  'Accept-Ranges': describe('AcceptRanges', 'Always `bytes`.'),
  'Content-Range': describe('ContentRange', 'Which bytes of how many; for 416 only how many.'),
} as const satisfies Record<string, z.ZodType>;
export type ResponseHeader = keyof typeof responseHeaders;
