import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler } from 'express';
import { pinoHttp } from 'pino-http';
import type { Log } from '@hearth/core/log/log.ts';
import { metrics } from '@hearth/core/metrics/metrics.ts';

/** The id that a request was given. */
export const requestIdOf = (req: IncomingMessage): string => (typeof req.id === 'string' ? req.id : '');

const wellFormedId = /^[\w.:-]{1,128}$/;

/**
 * The path of a request for the logs: its route's pattern, without parameters and query, which may be secrets (such as the id of a shared
 * album). Of a path without a route, only plain words are kept.
 */
export const loggedPath = (req: IncomingMessage): string => {
  const { route, originalUrl } = req as Partial<Request> & { readonly route?: { readonly path?: unknown } };
  if (typeof route?.path === 'string') return route.path;
  const [path = ''] = (originalUrl ?? req.url ?? '').split('?');
  return path.split('/').map(ofPlainWord).join('/').slice(0, 200);
};

const ofPlainWord = (segment: string): string => (/^(?:v\d|[A-Za-z]{0,20})$/.test(segment) ? segment : '…');

/** Gives each request its id, the client's own if it is well formed, and logs it when it is answered. */
export const requestLog = (log: Log) =>
  pinoHttp({
    logger: log,
    genReqId: (req, res) => {
      const given = req.headers['x-request-id'];
      const id = typeof given === 'string' && wellFormedId.test(given) ? given : randomUUID();
      res.setHeader('X-Request-Id', id);
      return id;
    },
    serializers: {
      req: (req: { id: string; method: string }) => ({ id: req.id, method: req.method }),
      res: (res: { statusCode: number }) => ({ status: res.statusCode }),
    },
    // The route of a request is known only when it has been answered.
    customSuccessObject: (req, _res, value: object) => ({ ...value, path: loggedPath(req) }),
    customErrorObject: (req, _res, _error, value: object) => ({ ...value, path: loggedPath(req) }),
    customLogLevel: (_req, res) => (res.statusCode >= 500 ? 'warn' : 'info'),
  });

/** Measures every request under its route's pattern, so that ids become no labels. */
export const measureRequests: RequestHandler = (req, res, next) => {
  const end = metrics.requestSeconds.startTimer();
  res.on('close', () => {
    const route = (req.route as { path?: string } | undefined)?.path ?? 'none';
    end({ route, method: req.method, status: res.statusCode });
  });
  next();
};
