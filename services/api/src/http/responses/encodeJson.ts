import type { Response } from 'express';

/**
 * Sets the headers for a JSON body and answers its bytes. Express's own `json` would answer 304 to a client that sends
 * `If-None-Match: *`.
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
