import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Returns a port that is not in use, below the ephemeral range, which systems use for outgoing connections. A client
 * that connects from the ephemeral range while the server restarts could occupy the server's port or connect to itself.
 */
export const findFreePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(15_000, 30_000);
    if (await reservePort(port)) return port;
  }
};

/**
 * Reserves a port until this process exits. Returns false if a server listens on it or another process has reserved it.
 * Without the reservation, another program could get the port before our server starts. The reservation is the UDP port
 * with the same number: the kernel gives it to one process only and releases it when the process exits, even after a
 * crash.
 */
export const reservePort = async (port: number): Promise<boolean> => {
  const reservation = createSocket('udp4');
  reservation.bind({ port, address: '127.0.0.1', exclusive: true });
  const isFree = (await emitsBeforeError(reservation, 'listening')) && (await canListen(port));
  if (isFree) reservation.unref();
  else reservation.close();
  return isFree;
};

const canListen = async (port: number): Promise<boolean> => {
  const server = createServer().listen(port, '127.0.0.1');
  const isListening = await emitsBeforeError(server, 'listening');
  if (isListening) await new Promise((resolve) => server.close(resolve));
  return isListening;
};

/** Returns true if the event comes before an error. */
const emitsBeforeError = (emitter: NodeJS.EventEmitter, event: string): Promise<boolean> =>
  once(emitter, event).then(
    () => true,
    () => false,
  );
