import type { Request } from 'express';

/** Characters of what a client calls itself that are kept: browsers need 120, some apps twice as many. */
const maxDeviceLength = 256;

/** What the client calls itself; undefined where it does not say. Text that a page may show: without control characters. */
export const deviceOf = ({ headers }: Pick<Request, 'headers'>): string | undefined =>
  (headers['user-agent'] ?? '').replaceAll(/[^\x20-\x7e]/g, '').slice(0, maxDeviceLength) || undefined;
