import type { Request } from 'express';
import { addressOf, networkOf } from './clientAddress.ts';

/** The network, address and device of a client, known before it signs in. */
export const clientOf = (req: Request) => ({
  network: networkOf(req),
  address: addressOf(req),
  device: deviceOf(req),
});

/** Characters of a `User-Agent` that are kept: browsers need 120, some apps twice as many. */
const maxDeviceLength = 256;

/** The client's `User-Agent` without control characters, so that a page may show it; undefined if there is none. */
const deviceOf = ({ headers }: Pick<Request, 'headers'>): string | undefined =>
  (headers['user-agent'] ?? '').replaceAll(/[^\x20-\x7e]/g, '').slice(0, maxDeviceLength) || undefined;
