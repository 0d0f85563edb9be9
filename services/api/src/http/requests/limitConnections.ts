import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { toNetwork } from './clientAddress.ts';

export interface ConnectionLimits {
  /**
   * Per address: a family behind one router, with up to 20 event streams each, plus the browsers' other connections.
   */
  readonly perAddress: number;
  /** In total: about 20 KB each. Far below the limit of 524,288 open files under systemd or in a container. */
  readonly total: number;
}

/** Default limits. */
export const connectionLimits: ConnectionLimits = { perAddress: 256, total: 2_048 };

/**
 * Rejects connections beyond the limits with the response `refusal`. At the total limit, closes idle connections first.
 * The limit per address does not apply to trusted proxies, which serve many clients.
 */
export const limitConnections = (
  server: Server,
  { perAddress, total }: ConnectionLimits,
  isTrustedProxy: (address: string) => boolean,
  refusal: () => string,
): void => {
  const counts = new Map<string, number>();
  let all = 0;
  server.prependListener('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const network = toNetwork(address) ?? address;
    const count = (counts.get(network) ?? 0) + 1;
    all += 1;
    counts.set(network, count);
    socket.once('close', () => {
      all -= 1;
      const left = (counts.get(network) ?? 1) - 1;
      if (left === 0) counts.delete(network);
      else counts.set(network, left);
    });
    if (all >= total) server.closeIdleConnections();
    if (all <= total && (count <= perAddress || isTrustedProxy(address))) return;
    socket.on('error', () => undefined);
    socket.end(refusal(), () => socket.destroy());
  });
};
