import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { RequestListener, ServerResponse } from 'node:http';
import { siteFolder } from './installSite.ts';

/** What of sirv is used; it is a package of the site, which this workspace does not have. */
type Sirv = (
  folder: string,
  options: {
    readonly etag: boolean;
    readonly onNoMatch: RequestListener;
    readonly setHeaders: (response: ServerResponse, path: string) => void;
  },
) => RequestListener;

/** Seconds for which a browser keeps files whose names change with what is in them. */
const yearSeconds = 365 * 24 * 60 * 60;

/**
 * Serves a built site on this machine.
 * @param port 0 for any that is free
 */
export const serveSite = async (folder: string, port = 0): Promise<{ readonly url: string; stop(): Promise<void> }> => {
  const sirv = createRequire(join(siteFolder, 'package.json'))('sirv') as Sirv;
  const notFound = readFileSync(join(folder, '404.html'));
  const serve = sirv(folder, {
    etag: true,
    onNoMatch: (_request, response) => {
      response.writeHead(404, { 'Content-Type': 'text/html; charset=utf-8' }).end(notFound);
    },
    setHeaders: (response, path) => {
      const isNamedByContent = path.startsWith('/assets/');
      response.setHeader('Cache-Control', isNamedByContent ? `public, max-age=${yearSeconds}, immutable` : 'no-cache');
    },
  });
  const server = createServer(serve).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
