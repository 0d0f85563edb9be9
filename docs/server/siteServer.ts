import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** What of sirv is used; it is a package of the site, which the workspaces of the repository do not have. */
type Sirv = (
  folder: string,
  options: {
    readonly etag: boolean;
    readonly gzip: boolean;
    readonly onNoMatch: RequestListener;
    readonly setHeaders: (response: ServerResponse, path: string) => void;
  },
) => RequestListener;

/** Seconds for which a browser keeps files whose names change with what is in them. */
const yearSeconds = 365 * 24 * 60 * 60;

/**
 * A server of a built site, which listens nowhere yet: its files, compressed where a `.gz` lies beside one, `/livez` for whoever asks whether it lives, and the
 * not-found page for everything else. It reads the names of all files now, and writes nothing.
 */
export const createSiteServer = (folder: string): Server => {
  const sirv = createRequire(import.meta.url)('sirv') as Sirv;
  const notFound = readFileSync(join(folder, '404.html'));
  const serve = sirv(folder, {
    etag: true,
    gzip: true,
    onNoMatch: (_request, response) => {
      response.writeHead(404, { 'Content-Type': 'text/html; charset=utf-8' }).end(notFound);
    },
    setHeaders: (response, path) => {
      const isNamedByContent = path.startsWith('/assets/');
      response.setHeader('Cache-Control', isNamedByContent ? `public, max-age=${yearSeconds}, immutable` : 'no-cache');
      response.setHeader('X-Content-Type-Options', 'nosniff');
      response.setHeader('Referrer-Policy', 'same-origin');
    },
  });
  return createServer((request, response) => {
    if (request.url === '/livez') response.writeHead(200, { 'Content-Type': 'text/plain' }).end('ok\n');
    else serve(request, response);
  });
};
