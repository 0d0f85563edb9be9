import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Distributes connections over servers, like the load balancer of a cluster. */
export interface Balancer {
  readonly port: number;
  /** Sends no more connections to a server that accepts them but does not respond, as after a failed health check. */
  remove(port: number): void;
  add(port: number): void;
  close(): Promise<void>;
}

/**
 * Forwards each connection to the next server on these local ports that accepts it. If none accepts it, the connection is
 * closed. A connection that breaks on one side also breaks on the other.
 */
export const startBalancer = async (ports: readonly number[]): Promise<Balancer> => {
  const removedPorts = new Set<number>();
  const clientSockets = new Set<Socket>();
  let nextIndex = 0;
  const forward = (clientSocket: Socket, [port, ...others]: readonly number[]): void => {
    if (port === undefined) {
      clientSocket.destroy();
      return;
    }
    const serverSocket = connect(port, '127.0.0.1');
    const tryNext = (): void => forward(clientSocket, others);
    serverSocket.on('error', tryNext).once('connect', () => {
      serverSocket.off('error', tryNext).on('error', () => clientSocket.resetAndDestroy());
      serverSocket.on('close', () => clientSocket.destroySoon());
      clientSocket.on('close', () => serverSocket.destroy());
      if (clientSocket.destroyed) serverSocket.destroy();
      serverSocket.pipe(clientSocket).pipe(serverSocket);
    });
  };
  const server = createServer((clientSocket) => {
    clientSockets.add(clientSocket);
    clientSocket.on('error', () => undefined).on('close', () => clientSockets.delete(clientSocket));
    nextIndex += 1;
    const portsInOrder = ports.map((_, index) => ports[(nextIndex + index) % ports.length]!);
    forward(
      clientSocket,
      portsInOrder.filter((port) => !removedPorts.has(port)),
    );
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    remove: (port) => void removedPorts.add(port),
    add: (port) => void removedPorts.delete(port),
    close: async () => {
      server.close();
      for (const clientSocket of clientSockets) clientSocket.destroy();
      await once(server, 'close');
    },
  };
};
