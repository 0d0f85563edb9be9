import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { waitUntil } from '../run/waitUntil.ts';

/** Request line and headers, without the empty line after them. */
type Request = string;

/** Violates HTTP on an open socket, and closes it. */
type Misbehave = (socket: Socket, request: Request) => unknown;

const send =
  (rest: string): Misbehave =>
  (socket, request) =>
    socket.end(request + rest);

const reset =
  (rest: string): Misbehave =>
  (socket, request) =>
    socket.write(request + rest, () => socket.resetAndDestroy());

/** Clients that violate HTTP, or break the connection during a request. */
export const brokenClients: Readonly<Record<string, Misbehave>> = {
  'no request': (socket) => socket.end(),
  garbage: (socket) => socket.end(Buffer.from('16030100ff00', 'hex')),
  'a half-closed socket after half of the headers': send('X: '),
  'a half-closed socket after the request': send('\r\n'),
  'a reset in the headers': reset('X: '),
  'a reset before the response': reset('\r\n'),
  'a reset in the response': (socket, request) => {
    socket.write(`${request}\r\n`);
    socket.once('data', () => socket.resetAndDestroy());
  },
  'a reset after a response that is not read': (socket, request) => {
    socket.pause().write(`${request}Connection: close\r\n\r\n`, () => setImmediate(() => socket.resetAndDestroy()));
  },
  'long headers': send(`X: ${'x'.repeat(100_000)}\r\n\r\n`),
  'many headers': send(`${'X: x\r\n'.repeat(5_000)}\r\n`),
  'a folded header': send('X: a\r\n b\r\n\r\n'),
  'a bad chunk size': send('Transfer-Encoding: chunked\r\n\r\nzz\r\n'),
  'a huge chunk size': send('Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n'),
  'a negative chunk size': send('Transfer-Encoding: chunked\r\n\r\n-1\r\n'),
  'long chunk extensions': send(`Transfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(100_000)}\r\na\r\n0\r\n\r\n`),
  'a truncated chunk': send('Transfer-Encoding: chunked\r\n\r\nff\r\nabc'),
  'a reset in a chunk': reset('Transfer-Encoding: chunked\r\n\r\nff\r\nabc'),
  'broken trailers': send('Transfer-Encoding: chunked\r\n\r\n0\r\nX\0\r\n\r\n'),
  'an unknown transfer encoding': send('Transfer-Encoding: zip\r\n\r\nabc'),
  'pipelined garbage': send('\r\n\0\x01garbage\r\n\r\n'),
  'many pipelined requests and a reset': (socket, request) => reset('\r\n')(socket, `${request}\r\n`.repeat(200)),
  'Expect: 100-continue and a reset': reset('Content-Length: 9\r\nExpect: 100-continue\r\n\r\n'),
  'Expect: 100-continue and half a body': send('Content-Length: 9\r\nExpect: 100-continue\r\n\r\nabc'),
  'an upgrade to WebSocket': send('Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n\x81\x05hello'),
  'an upgrade to HTTP/2': reset('Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n\r\n'),
  CONNECT: (socket) => socket.end('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\nabc'),
  'more bytes than its length': send('Content-Length: 3\r\n\r\nabcdef'),
  'fewer bytes than its length': send('Content-Length: 30\r\n\r\nabc'),
  'fewer bytes than its length and a reset': reset('Content-Length: 30\r\n\r\nabc'),
  'a negative length': send('Content-Length: -3\r\n\r\nabc'),
  'an endless length': send('Content-Length: 99999999999999999999\r\n\r\nabc'),
};

/** Runs every client with each of the requests. Resolves when the server has closed all their connections. */
export const misbehaveAll = async (server: Server, requests: readonly Request[]): Promise<void> => {
  const { port } = server.address() as AddressInfo;
  const before = await countConnections(server);
  for (const misbehave of Object.values(brokenClients))
    await Promise.all(
      requests.map(async (request) => {
        const socket = connect({ port, host: '127.0.0.1' }).on('error', () => undefined);
        const closed = new Promise((resolve) => socket.resume().once('close', resolve));
        await once(socket, 'connect');
        misbehave(socket, request);
        await closed;
      }),
    );
  await waitUntil('the server has closed all connections', async () => (await countConnections(server)) <= before);
};

const countConnections = (server: Server): Promise<number> =>
  new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
