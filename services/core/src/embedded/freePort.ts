import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port on which nothing listens, below the range from which systems choose ports for outgoing connections. From that range, a client that
 * calls while the server restarts could occupy the server's port, or be connected to itself.
 */
export const findFreePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(15_000, 30_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
};
