import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

/** A request to a test server. */
export interface FileRequest {
  readonly path: string;
  /** Values by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /** First byte of the requested range, or 0. */
  readonly offset: number;
}

/** Writes a response to a socket, valid or not. */
export type Respond = (socket: Socket, request: FileRequest, body: Buffer) => void;

/** A server that sends files as raw bytes, so that it can violate any rule of HTTP. */
export interface FileServer {
  readonly url: string;
  readonly requests: readonly FileRequest[];
  close(): void;
}

/** Starts a server that responds to each request through `respond`, with the file at the requested path. */
export const startFileServer = async (
  fileAt: (path: string) => Buffer,
  respond: (request: FileRequest) => Respond,
): Promise<FileServer> => {
  const requests: FileRequest[] = [];
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    let received = '';
    socket
      .on('error', () => undefined)
      .on('close', () => sockets.delete(socket))
      // Treats a half-closed connection as closed.
      .on('end', () => socket.destroy())
      .on('data', (data) => {
        received += data.toString('latin1');
        if (!received.includes('\r\n\r\n')) return;
        const request = parse(received);
        received = '';
        requests.push(request);
        respond(request)(socket, request, fileAt(request.path));
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};

const parse = (received: string): FileRequest => {
  const [first = '', ...lines] = received.split('\r\n');
  const headers = new Map(lines.map((line) => [line.split(':')[0]!.toLowerCase(), line.slice(line.indexOf(':') + 2)]));
  return {
    path: first.split(' ')[1] ?? '',
    headers,
    offset: Number(/^bytes=(\d+)-$/.exec(headers.get('range') ?? '')?.[1] ?? 0),
  };
};

const makeHead = (status: string, ...lines: readonly (string | false)[]): string =>
  `${status}\r\n${lines.map((line) => (line === false ? '' : `${line}\r\n`)).join('')}\r\n`;

/** Returns the headers of a response from the requested offset on, like servers that support ranges. */
const respondWithRange = (
  version: string,
  { offset }: FileRequest,
  { length }: Buffer,
  ...lines: readonly string[]
): string =>
  makeHead(
    offset > 0 ? `${version} 206 Partial Content` : `${version} 200 OK`,
    `Content-Length: ${length - offset}`,
    offset > 0 && `Content-Range: bytes ${offset}-${length - 1}/${length}`,
    ...lines,
  );

/** Servers that deliver the whole file, each in an unusual form that has broken a client. */
export const unusualServers = {
  /** Like `python3 -m http.server`: closes after the body, when the client may not have read all of it. */
  'HTTP/1.0': (socket, _, body) =>
    socket.write(makeHead('HTTP/1.0 200 OK', `Content-Length: ${body.length}`)) && socket.end(body),
  'Connection: close': (socket, request, body) => {
    socket.write(respondWithRange('HTTP/1.1', request, body, 'Connection: close'));
    socket.end(body.subarray(request.offset));
  },
  'HTTP/1.0 without a length': (socket, _, body) =>
    socket.end(Buffer.concat([Buffer.from(makeHead('HTTP/1.0 200 OK')), body])),
  'chunks without a length': (socket, _, body) => {
    socket.write(makeHead('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked'));
    for (let at = 0; at < body.length; at += 65_536) {
      const chunk = body.subarray(at, at + 65_536);
      socket.write(`${chunk.length.toString(16)}\r\n`);
      socket.write(chunk);
      socket.write('\r\n');
    }
    socket.end('0\r\n\r\n');
  },
  /** Only for large files: a client loses what it has not read when the connection breaks. */
  'a break after half of it': (socket, request, body) => {
    socket.write(respondWithRange('HTTP/1.1', request, body));
    const isBroken = request.offset === 0 && body.length > 1_000_000;
    socket.end(isBroken ? body.subarray(0, body.length >> 1) : body.subarray(request.offset));
  },
} as const satisfies Readonly<Record<string, Respond>>;

/** Servers that never deliver the file, with the error that a client should report. */
export const uselessServers = {
  truncation: {
    respond: (socket, _, body) => {
      socket.write(makeHead('HTTP/1.1 200 OK', `Content-Length: ${body.length}`));
      socket.end(body.subarray(0, body.length >> 1));
    },
    report: /closed the connection/,
  },
  'a close after the headers': {
    respond: (socket, _, body) => socket.end(makeHead('HTTP/1.1 200 OK', `Content-Length: ${body.length}`)),
    report: /closed the connection/,
  },
  'a close without a response': { respond: (socket) => socket.end(), report: /closed the connection/ },
  'a wrong length': {
    respond: (socket, _, body) =>
      socket.end(Buffer.concat([Buffer.from(makeHead('HTTP/1.1 200 OK', `Content-Length: ${body.length - 1}`)), body])),
    report: /with \d+ bytes instead of \d+/,
  },
  'two lengths': {
    respond: (socket, _, body) =>
      socket.end(
        Buffer.concat([
          Buffer.from(makeHead('HTTP/1.1 200 OK', `Content-Length: ${body.length}`, 'Content-Length: 5')),
          body,
        ]),
      ),
    report: /does not send valid HTTP/,
  },
  'endless bytes': {
    respond: (socket, _, body) => {
      socket.write(makeHead('HTTP/1.1 200 OK'));
      const fill = (): void => {
        while (!socket.destroyed && socket.write(body));
      };
      socket.on('drain', fill);
      fill();
    },
    report: /sent more than \d+ bytes/,
  },
  'endless headers': {
    respond: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const fill = (): void => {
        while (!socket.destroyed && socket.write(`X-Header: ${'x'.repeat(1_000)}\r\n`));
      };
      socket.on('drain', fill);
      fill();
    },
    report: /does not send valid HTTP/,
  },
  garbage: { respond: (socket) => socket.end('\0\x01\xffgarbage\r\n\r\n'), report: /does not send valid HTTP/ },
  'garbage among chunks': {
    respond: (socket) =>
      socket.end(`${makeHead('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked')}3\r\nabc\r\nnot a length\r\n`),
    report: /closed the connection|does not send valid HTTP/,
  },
  'another protocol': {
    respond: (socket) =>
      socket.end(makeHead('HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: websocket')),
    report: /sent no response|closed the connection/,
  },
  'a redirect loop': {
    respond: (socket, { path }) => socket.end(makeHead('HTTP/1.1 302 Found', `Location: ${path}`, 'Content-Length: 0')),
    report: /redirects more than 5 times/,
  },
  'a redirect to a file': {
    respond: (socket) =>
      socket.end(makeHead('HTTP/1.1 302 Found', 'Location: file:///etc/passwd', 'Content-Length: 0')),
    report: /redirects to file:/,
  },
  'a redirect to nowhere': {
    respond: (socket) => socket.end(makeHead('HTTP/1.1 302 Found', 'Location: http://', 'Content-Length: 0')),
    report: /redirects to no valid address/,
  },
  'a redirect without a location': {
    respond: (socket) => socket.end(makeHead('HTTP/1.1 302 Found', 'Content-Length: 0')),
    report: /redirects to no valid address/,
  },
  'status 404': {
    respond: (socket) => socket.end(makeHead('HTTP/1.1 404 Not Found', 'Content-Length: 0')),
    report: /does not have/,
  },
  'status 500': {
    respond: (socket) => socket.end(makeHead('HTTP/1.1 500 Oops', 'Content-Length: 0')),
    report: /status 500/,
  },
  'a range that was not requested': {
    respond: (socket, _, body) =>
      socket.end(
        Buffer.concat([
          Buffer.from(
            makeHead(
              'HTTP/1.1 206 Partial',
              `Content-Range: bytes 7-${body.length - 1}/${body.length}`,
              'Connection: close',
            ),
          ),
          body,
        ]),
      ),
    report: /another range/,
  },
} as const satisfies Readonly<Record<string, { readonly respond: Respond; readonly report: RegExp }>>;

/** Servers that keep a client waiting, with the error that the client should report. Default timeouts take minutes. */
export const slowServers = {
  'endless early hints': {
    respond: (socket) => {
      const fill = (): void => {
        while (!socket.destroyed && socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'));
      };
      socket.on('drain', fill);
      fill();
    },
    report: /sent nothing for|took longer than/,
  },
  'no headers': { respond: () => undefined, report: /sent nothing for/ },
  'a stall in the headers': { respond: (socket) => socket.write('HTTP/1.1 200 OK\r\nX-'), report: /sent nothing for/ },
  'a stall in the body': {
    respond: (socket, _, body) => socket.write(makeHead('HTTP/1.1 200 OK', `Content-Length: ${body.length}`)),
    report: /sent nothing for/,
  },
} as const satisfies Readonly<Record<string, { readonly respond: Respond; readonly report: RegExp }>>;
