import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOfAddress } from './clientAddress.ts';

/** How many connections there may be. */
export interface ConnectionLimits {
  /** Connections from one address: a family behind one router, with 20 streams of live updates each and the browsers' other connections. */
  readonly perAddress: number;
  /** All connections: about 20 KB each, and far below the 524,288 files that a process may have open where systemd or a container starts it. */
  readonly inAll: number;
}

/** What a server allows unless a test asks for less. */
export const connectionLimits: ConnectionLimits = { perAddress: 256, inAll: 2_048 };

/**
 * Answers connections beyond the limits with `refusal` at once. If all connections are taken, idle ones are closed first. A trusted proxy
 * brings many people, so only the limit on all connections holds for it.
 */
export const limitConnections = (
  server: Server,
  { perAddress, inAll }: ConnectionLimits,
  isTrustedProxy: (address: string) => boolean,
  refusal: () => string,
): void => {
  const counts = new Map<string, number>();
  let all = 0;
  server.prependListener('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const network = networkOfAddress(address) ?? address;
    const count = (counts.get(network) ?? 0) + 1;
    all += 1;
    counts.set(network, count);
    socket.once('close', () => {
      all -= 1;
      const left = (counts.get(network) ?? 1) - 1;
      if (left === 0) counts.delete(network);
      else counts.set(network, left);
    });
    if (all >= inAll) server.closeIdleConnections();
    if (all <= inAll && (count <= perAddress || isTrustedProxy(address))) return;
    socket.on('error', () => undefined);
    socket.end(refusal(), () => socket.destroy());
  });
};
