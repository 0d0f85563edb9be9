import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The part of sirv in use. sirv is a package of the site and is not installed in the workspaces. */
type Sirv = (
  folder: string,
  options: {
    readonly etag: boolean;
    readonly gzip: boolean;
    readonly onNoMatch: RequestListener;
    readonly setHeaders: (response: ServerResponse, path: string) => void;
  },
) => RequestListener;

/** Cache lifetime of files with a content hash in their names, in seconds. */
const yearSeconds = 365 * 24 * 60 * 60;

/**
 * Creates a server for a built site, not yet listening. It serves `/livez`, the files (compressed if there is a `.gz`), and the not-found page for other
 * paths. It lists all files once, at creation.
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
