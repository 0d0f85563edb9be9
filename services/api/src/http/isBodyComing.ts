import type { Request } from 'express';

/** Whether a request has a body of which something has not been read yet. */
export const isBodyComing = (req: Request): boolean =>
  !req.complete && (req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0);
