import type { Request } from 'express';
import { addressOf, networkOf } from './clientAddress.ts';

/** What is known of a client before it says who it is. */
export const clientOf = (req: Request) => ({
  network: networkOf(req),
  address: addressOf(req),
  device: deviceOf(req),
});

/** Characters of what a client calls itself that are kept: browsers need 120, some apps twice as many. */
const maxDeviceLength = 256;

/** What the client calls itself; undefined where it does not say. Text that a page may show: without control characters. */
const deviceOf = ({ headers }: Pick<Request, 'headers'>): string | undefined =>
  (headers['user-agent'] ?? '').replaceAll(/[^\x20-\x7e]/g, '').slice(0, maxDeviceLength) || undefined;
