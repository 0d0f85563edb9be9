import type { ServerResponse } from 'node:http';
import { sep } from 'node:path';
import type { Request, RequestHandler } from 'express';
import expressStaticGzip from 'express-static-gzip';
import type { Deps } from '../deps/deps.ts';
import { sendSharePage } from '../features/sharing/sendSharePage.ts';
import { permissionsPolicy, webPolicy } from './webPolicy.ts';

/** Files in this folder have a content hash in their name. */
const hashedFolder = 'assets';

/**
 * Serves the built web app: its files, precompressed if possible, and its page at every path outside the API. Passes
 * other requests on.
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
    const [, shareId] = /^\/s\/([^/]+)\/?$/.exec(req.path) ?? [];
    if (shareId !== undefined && (await sendSharePage(deps, shareId, req, res, setHeaders))) return;
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

const isApi = (path: string): boolean => /^\/+v1(?:\/|$)/i.test(path);

/** Returns false for `*`, which HTTP allows as a request target. */
const isAddress = (path: string): boolean => path.startsWith('/');

const isDecodable = (path: string): boolean => {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
};

/** Returns true for a browser's navigation. A program could mistake the page for an API response. */
const isForPage = (req: Request): boolean =>
  req.path === '/' || (!req.path.startsWith(`/${hashedFolder}/`) && req.accepts(['json', 'html']) === 'html');
