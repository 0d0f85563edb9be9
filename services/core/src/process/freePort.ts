import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port on which nothing listens, below the range from which systems choose ports for outgoing connections. From that range, a client that
 * calls while the server restarts could occupy the server's port, or be connected to itself.
 */
export const findFreePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(15_000, 30_000);
    if (await reservePort(port)) return port;
  }
};

/**
 * Whether nothing listens on the port, and nobody else has reserved it. It then belongs to this process, to whose server or whose child's it is
 * given, until the process ends: between the question and the server's start, another program could otherwise be given the same port. The
 * reservation is the UDP port of the same number, which the kernel gives to one process only and takes back however the process ends.
 */
export const reservePort = async (port: number): Promise<boolean> => {
  const reservation = createSocket('udp4');
  reservation.bind({ port, address: '127.0.0.1', exclusive: true });
  const isFree = (await happens(reservation, 'listening')) && (await canListen(port));
  if (isFree) reservation.unref();
  else reservation.close();
  return isFree;
};

const canListen = async (port: number): Promise<boolean> => {
  const server = createServer().listen(port, '127.0.0.1');
  const isListening = await happens(server, 'listening');
  if (isListening) await new Promise((resolve) => server.close(resolve));
  return isListening;
};

/** Whether the event comes before an error. */
const happens = (emitter: NodeJS.EventEmitter, event: string): Promise<boolean> =>
  once(emitter, event).then(
    () => true,
    () => false,
  );
