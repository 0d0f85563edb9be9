import { unusualServers, slowServers, uselessServers, type Respond } from '@hearth/testkit/servers/fileServer.ts';

const respondWith =
  (body: string | Buffer, ...headers: readonly string[]): Respond =>
  (socket) => {
    const lines = ['HTTP/1.1 200 OK', 'Content-Type: application/json', 'Connection: close', ...headers];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    socket.end(body);
  };

/** Responses without the requested object or list, by fault. */
export const brokenApis: Readonly<Record<string, Respond>> = {
  ...unusualServers,
  ...Object.fromEntries(Object.entries(uselessServers).map(([name, { respond }]) => [name, respond])),
  'a reset': (socket) => socket.resetAndDestroy(),
  'a reset in the body': (socket) =>
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{', () =>
      socket.resetAndDestroy(),
    ),
  'a web page': (socket) =>
    socket.end('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<title>Sign in</title>'),
  'a page of plain text': (socket) =>
    socket.end('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\nsigned out'),
  'an empty body': respondWith(''),
  'truncated JSON': respondWith('{"metadata":{"name":"worker"'),
  null: respondWith('null'),
  'a number': respondWith('7'),
  'an array': respondWith('[]'),
  'an empty object': respondWith('{}'),
  'null for every part': respondWith('{"metadata":null,"spec":null,"items":null,"data":null}'),
  'a list of null': respondWith('{"metadata":{},"items":[null]}'),
  'an object without a name': respondWith('{"metadata":{},"spec":{},"items":[{"metadata":{}}]}'),
  'another object': respondWith(
    '{"metadata":{"name":"another"},"spec":{"replicas":9},"items":[{"metadata":{"name":7}}]}',
  ),
  'invalid gzip': respondWith('no gzip', 'Content-Encoding: gzip'),
  'deep JSON': respondWith('{"items":'.repeat(50_000) + '1' + '}'.repeat(50_000)),
};

/** Servers that keep the operator waiting for the whole timeout. */
export const slowApis: Readonly<Record<string, Respond>> = Object.fromEntries(
  Object.entries(slowServers).map(([name, { respond }]) => [name, respond]),
);

/** Faulty responses by object name. Excludes 404, and floods that would keep a busy machine from renewing the lease. */
export const brokenObjects: ReadonlyMap<string, Respond> = new Map(
  Object.entries({ ...brokenApis, ...slowApis })
    .filter(([name]) => name !== 'status 404' && !name.startsWith('endless'))
    .map(([name, respond]) => [name.toLowerCase().replace(/[^a-z0-9]+/g, '-'), respond]),
);
