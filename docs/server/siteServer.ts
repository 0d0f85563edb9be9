import { readFileSync } from 'node:fs';
import {
  createServer,
  request as openRequest,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pipeline } from 'node:stream';

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

/** Paths of the API, for readers who try requests in its reference. */
const apiPath = /^\/(?:v1\/|(?:version|disk|readyz|openapi\.json)(?:$|\?))/;

/**
 * Creates a server for a built site, not yet listening. It serves `/livez`, the files (compressed if there is a `.gz`), and the not-found page for other
 * paths. It lists all files once, at creation.
 * @param apiUrl HTTP address of Hearth, which gets the requests for the API's paths
 */
export const createSiteServer = (folder: string, apiUrl?: string): Server => {
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
      // Each page contains the rest of its policy. Browsers accept this directive in headers only.
      response.setHeader('Content-Security-Policy', "frame-ancestors 'none'");
    },
  });
  return createServer((request, response) => {
    if (request.url === '/livez') response.writeHead(200, { 'Content-Type': 'text/plain' }).end('ok\n');
    else if (apiUrl !== undefined && apiPath.test(request.url ?? '')) forward(new URL(apiUrl), request, response);
    else serve(request, response);
  });
};

/** Forwards a request to Hearth, and its response to the client. */
const forward = ({ hostname, port }: URL, request: IncomingMessage, response: ServerResponse): void => {
  const { method, url, headers, socket } = request;
  const forwardedFor = [headers['x-forwarded-for'], socket.remoteAddress].filter((each) => each !== undefined);
  const upstream = openRequest({
    hostname,
    port,
    method,
    path: url,
    headers: { ...headers, 'x-forwarded-for': forwardedFor.join(', ') },
  });
  upstream.once('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    pipeline(answer, response, () => undefined);
  });
  upstream.once('error', () => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502, { 'Content-Type': 'text/plain' }).end('Hearth is unavailable\n');
  });
  response.once('close', () => upstream.destroy());
  pipeline(request, upstream, () => undefined);
};
