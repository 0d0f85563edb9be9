import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { RawResponse } from './responseChecker.ts';

/** Opens a connection for arbitrary bytes. */
export const openSocket = async (port: number): Promise<Socket> => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  // Some tests provoke a closed connection, and check the bytes received before.
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
};

/** Sends bytes and returns all responses until the server closes the connection. */
export const exchange = async (port: number, bytes: string | Buffer): Promise<RawResponse[]> => {
  const socket = await openSocket(port);
  socket.write(bytes);
  return readResponses(socket);
};

/** Returns all responses until the server closes the connection, including `100 Continue`. */
export const readResponses = async (socket: Socket): Promise<RawResponse[]> => {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await Promise.race([once(socket, 'end'), once(socket, 'close')]);
  socket.destroy();
  return parseResponses(Buffer.concat(chunks));
};

/** Parses the responses in a stream of bytes. The length of each body is its `Content-Length`. */
export const parseResponses = (bytes: Buffer): RawResponse[] => {
  if (bytes.length === 0) return [];
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) throw new Error(`invalid HTTP response: ${bytes.toString('latin1')}`);
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  if (Number.isNaN(status)) throw new Error(`invalid HTTP response: ${statusLine}`);
  const headers = new Headers(
    lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  );
  const length = Number(headers.get('content-length') ?? 0);
  const body = bytes.subarray(end + 4, end + 4 + length);
  return [{ status, headers, bytes: body }, ...parseResponses(bytes.subarray(end + 4 + length))];
};
