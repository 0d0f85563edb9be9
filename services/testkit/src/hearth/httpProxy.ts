import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A reverse proxy. */
export interface HttpProxy {
  readonly url: string;
  close(): Promise<void>;
}

/** Paths begin with a slash and include the query. */
export interface HttpProxyOptions {
  /** Replaces the requested path. */
  readonly replacePath?: (path: string) => string;
  /** Certificate and key as PEM. The proxy then serves HTTPS. */
  readonly certificate?: { readonly cert: string; readonly key: string };
  /** Default: a free port. */
  readonly port?: number;
  /** Called with each response before it is forwarded. `requestedAt`: time of the request in ms since 1970. */
  readonly onResponse?: (path: string, response: IncomingMessage, requestedAt: number) => void;
}

/** Forwards all requests to the server at `targetUrl`, and returns its responses. */
export const startHttpProxy = async (
  targetUrl: string,
  { replacePath = (path) => path, onResponse, certificate, port = 0 }: HttpProxyOptions = {},
): Promise<HttpProxy> => {
  const forward = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const { method, headers, url: path = '/' } = incoming;
    const requestedAt = Date.now();
    const forwarded = request(`${targetUrl}${replacePath(path)}`, { method, headers });
    forwarded.on('response', (response: IncomingMessage) => {
      onResponse?.(path, response, requestedAt);
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.on('error', () => outgoing.destroy()).pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  };
  const server = certificate === undefined ? createServer(forward) : createTlsServer(certificate, forward);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
