import type { Request } from 'express';

/** Whether a request has a body, whether or not it has been read. */
export const hasBody = (req: Request): boolean =>
  req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;

/** Whether a request has a body of which something has not been read yet. */
export const isBodyComing = (req: Request): boolean => !req.complete && hasBody(req);
