import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** A proxy that counts the bytes of a server's responses. */
export interface CountingProxy {
  readonly endpoint: string;
  /** Returns the number of bytes received from the server. */
  passed(): number;
  /** Returns true while the most recent client accepts no more bytes. */
  isBlocked(): boolean;
}

/** Starts a proxy in front of a server on a local port. It ends with the test. */
export const startCountingProxy = async (t: TestContext, port: number): Promise<CountingProxy> => {
  let forwarded = 0;
  let client: Socket | undefined;
  const server = createServer((clientSocket) => {
    client = clientSocket;
    t.after(() => clientSocket.destroy());
    const serverSocket = connect(port, '127.0.0.1');
    clientSocket.pipe(serverSocket).on('error', () => clientSocket.destroy());
    serverSocket
      .on('data', (chunk) => (forwarded += chunk.length))
      .pipe(clientSocket)
      .on('error', () => serverSocket.destroy());
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed: () => forwarded,
    isBlocked: () => client?.writableNeedDrain === true,
  };
};
