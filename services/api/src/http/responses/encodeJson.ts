import type { Response } from 'express';

/**
 * Sets the headers of a JSON body and returns its bytes. Express's own `json` would respond 304 to `If-None-Match: *`.
 */
export const encodeJson = (res: Response, body: unknown): Buffer => {
  const bytes = Buffer.from(JSON.stringify(body));
  res.set({
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(bytes.length),
  });
  return bytes;
};
