import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTcpProxy } from '@hearth/testkit/proxies/tcpProxy.ts';

/** Proxy to the API that counts the bytes of uploads, and can hold or cut connections. */
export interface UploadProxy {
  readonly url: string;
  /** Bytes of upload and check requests, including headers and cut-off bodies. */
  sentBytes(): number;
  /** Holds uploads after this many bytes until `release`. Resolves when they are held. */
  holdAfter(bytes: number): Promise<void>;
  release(): void;
  /** Cuts all connections to the API and refuses new ones until `open`. */
  cut(): Promise<void>;
  open(): Promise<void>;
  close(): Promise<void>;
}

const isCounted = (address = ''): boolean => /^\/v1\/(uploads|mediaItems\/check)\b/.test(address);

const headerBytes = ({ rawHeaders }: IncomingMessage): number =>
  rawHeaders.reduce((sum, text) => sum + text.length + 2, 0);

export const startUploadProxy = async (apiUrl: string): Promise<UploadProxy> => {
  const proxy = await startTcpProxy();
  const targetUrl = proxy.setTarget(apiUrl);
  const activeRequests = new Set<IncomingMessage>();
  let sentBytes = 0;
  let holdAfterBytes = Number.POSITIVE_INFINITY;
  let held = Promise.withResolvers<void>();
  const count = (bytes: number): void => {
    sentBytes += bytes;
    if (sentBytes < holdAfterBytes) return;
    for (const incoming of activeRequests) incoming.pause();
    held.resolve();
  };
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url = '/' } = incoming;
    const forwarded = request(new URL(url, targetUrl), { method, headers });
    forwarded.on('response', (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.on('error', () => outgoing.destroy()).pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    if (isCounted(url)) {
      activeRequests.add(incoming);
      incoming.on('close', () => activeRequests.delete(incoming));
      // Not piped, because a pipe would resume by itself.
      incoming.on('data', (chunk: Buffer) => {
        const canWriteMore = forwarded.write(chunk);
        count(chunk.length);
        // Passes the API's backpressure on to the browser. Bytes buffered here would be lost when the connection is
        // cut.
        if (canWriteMore) return;
        incoming.pause();
        forwarded.once('drain', () => sentBytes < holdAfterBytes && incoming.resume());
      });
      incoming.on('end', () => forwarded.end());
      count(headerBytes(incoming));
    } else incoming.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sentBytes: () => sentBytes,
    holdAfter: (bytes) => {
      holdAfterBytes = bytes;
      held = Promise.withResolvers();
      count(0);
      return held.promise;
    },
    release: () => {
      holdAfterBytes = Number.POSITIVE_INFINITY;
      for (const incoming of activeRequests) incoming.resume();
    },
    cut: proxy.cut,
    open: proxy.open,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      await proxy.cut();
    },
  };
};
