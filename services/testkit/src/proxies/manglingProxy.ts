import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Changes bytes of a server, and writes them to the client. */
export type Mangle = (chunk: Buffer, client: Socket) => void;

/** A proxy that can change the bytes that the server sends. */
export interface ManglingProxy {
  /** The target URL with the proxy's host and port. */
  readonly url: string;
  /** Changes the bytes of all connections from now on. Undefined closes them, and new connections are forwarded unchanged. */
  mangle(mangle: Mangle | undefined): void;
  /** Returns the number of chunks changed since the last call of `mangle`. */
  count(): number;
  close(): void;
}

/** Starts a proxy in front of the server of a URL. */
export const startManglingProxy = async (target: string): Promise<ManglingProxy> => {
  const { hostname: host, port } = new URL(target);
  const sockets = new Set<Socket>();
  let current: Mangle | undefined;
  let count = 0;
  const server = createServer((client) => {
    const serverSocket = connect({ host, port: Number(port) });
    for (const [socket, other] of [
      [client, serverSocket],
      [serverSocket, client],
    ] as const) {
      sockets.add(socket);
      socket
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(socket);
          other.destroy();
        });
    }
    client.pipe(serverSocket);
    serverSocket.on('data', (chunk) => {
      if (client.destroyed) return;
      if (current === undefined) {
        client.write(chunk);
        return;
      }
      count += 1;
      current(chunk, client);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href.replace(/\/$/, ''),
    mangle: (mangle) => {
      current = mangle;
      count = 0;
      // Connections that received changed bytes cannot continue.
      if (mangle === undefined) for (const socket of sockets) socket.destroy();
    },
    count: () => count,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};

const flip = (chunk: Buffer): Buffer => {
  const copy = Buffer.from(chunk);
  copy[copy.length >> 1]! ^= 0x5a;
  return copy;
};

/** Faults of a server, or of a proxy in front of it. */
export const mangles = {
  'random bytes': (chunk, client) => client.write(randomBytes(chunk.length)),
  zeros: (chunk, client) => client.write(Buffer.alloc(chunk.length)),
  'an error page of a proxy': (_, client) => client.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 6\r\n\r\n<html>'),
  'one wrong byte': (chunk, client) => client.write(flip(chunk)),
  'half a frame': (chunk, client) => client.end(chunk.subarray(0, chunk.length >> 1)),
  'a reset': (_, client) => client.resetAndDestroy(),
  'all bytes repeated many times': (chunk, client) =>
    client.write(Buffer.concat(Array.from({ length: 200 }, () => chunk))),
  'random lengths': (chunk, client) => client.write(Buffer.concat([Buffer.alloc(5, 0x7f), chunk])),
} as const satisfies Readonly<Record<string, Mangle>>;
