import type { ServerResponse } from 'node:http';
import { sep } from 'node:path';
import type { Request, RequestHandler } from 'express';
import expressStaticGzip from 'express-static-gzip';
import type { Deps } from '../deps/deps.ts';
import { sendSharePage } from './sendSharePage.ts';
import { permissionsPolicy, webPolicy } from './webPolicy.ts';

/** Names below this folder change with what is in the file. */
const hashedFolder = 'assets';

/**
 * Serves the built web app: its files, in the encoding in which they lie beside them, and its one page wherever a browser goes that is
 * no route of ours. What it does not have is left to whoever comes next.
 */
export const serveWeb = (deps: Deps): RequestHandler => {
  const { webDirectory: directory } = deps.config;
  const policy = webPolicy(deps.config);
  const setHeaders = (res: ServerResponse, path: string): void => {
    const isHashed = path.startsWith(`${directory}${sep}${hashedFolder}${sep}`);
    res.setHeader('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    res.setHeader('Content-Security-Policy', policy);
    res.setHeader('Permissions-Policy', permissionsPolicy);
  };
  const files = expressStaticGzip(directory, {
    enableBrotli: true,
    orderPreference: ['br', 'gzip'],
    index: false,
    serveStatic: { index: false, redirect: false, cacheControl: false, dotfiles: 'ignore', setHeaders },
  });
  const sendFile = files as RequestHandler;

  return async (req, res, next) => {
    if (
      (req.method !== 'GET' && req.method !== 'HEAD') ||
      !isAddress(req.path) ||
      isApi(req.path) ||
      !isDecodable(req.path)
    ) {
      next();
      return;
    }
    const [, albumId] = /^\/s\/([^/]+)\/?$/.exec(req.path) ?? [];
    if (albumId !== undefined && (await sendSharePage(deps, albumId, req, res, setHeaders))) return;
    sendFile(req, res, (error?: unknown) => {
      if (error !== undefined || !isForPage(req)) {
        next(error);
        return;
      }
      const { url } = req;
      req.url = '/index.html';
      sendFile(req, res, (failed?: unknown) => {
        req.url = url;
        next(failed);
      });
    });
  };
};

const isApi = (path: string): boolean => /^\/v1(?:\/|$)/.test(path);

/** `GET *` is a request of HTTP, and no address that a browser goes to. */
const isAddress = (path: string): boolean => path.startsWith('/');

/** What cannot be decoded is the address of nothing. */
const isDecodable = (path: string): boolean => {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
};

/** Whether a browser goes there, rather than a program that would take the page for an answer. */
const isForPage = (req: Request): boolean =>
  req.path === '/' || (!req.path.startsWith(`/${hashedFolder}/`) && req.accepts(['json', 'html']) === 'html');
