import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler } from 'express';
import { pinoHttp } from 'pino-http';
import type { Log } from '@hearth/core/log/log.ts';
import { metrics } from '@hearth/core/metrics/metrics.ts';

/** Returns the id assigned to the request. */
export const getRequestId = (req: IncomingMessage): string => (typeof req.id === 'string' ? req.id : '');

const wellFormedId = /^[\w.:-]{1,128}$/;

/**
 * Returns a path without secrets for the logs: the route's pattern, without parameters and query, which may be secrets
 * such as the id of a shared album. For a path without a route, keeps only plain words.
 */
export const getLoggedPath = (req: IncomingMessage): string => {
  const { route, originalUrl } = req as Partial<Request> & { readonly route?: { readonly path?: unknown } };
  if (typeof route?.path === 'string') return route.path;
  const [path = ''] = (originalUrl ?? req.url ?? '').split('?');
  return path.split('/').map(maskSegment).join('/').slice(0, 200);
};

const maskSegment = (segment: string): string => (/^(?:v\d|[A-Za-z]{0,20})$/.test(segment) ? segment : '…');

/** Assigns each request an id, the client's own if well-formed, and logs the request with its response. */
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
    // The route is known only after the response.
    customSuccessObject: (req, _res, value: object) => ({ ...value, path: getLoggedPath(req) }),
    customErrorObject: (req, _res, _error, value: object) => ({ ...value, path: getLoggedPath(req) }),
    customLogLevel: (_req, res) => (res.statusCode >= 500 ? 'warn' : 'info'),
  });

/** Measures requests by route pattern, so that ids do not become labels. */
export const measureRequests: RequestHandler = (req, res, next) => {
  const end = metrics.requestSeconds.startTimer();
  res.on('close', () => {
    const route = (req.route as { path?: string } | undefined)?.path ?? 'none';
    end({ route, method: req.method, status: res.statusCode });
  });
  next();
};
