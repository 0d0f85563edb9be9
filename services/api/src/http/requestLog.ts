import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { pinoHttp } from 'pino-http';
import type { Log } from '@hearth/core/log.ts';

/** The id that a request was given. */
export const requestIdOf = (req: IncomingMessage): string => (typeof req.id === 'string' ? req.id : '');

const wellFormedId = /^[\w.:-]{1,128}$/;

/**
 * Gives each request its id, the client's own if it is well formed, and logs it when it is answered. The query is left
 * out: it holds the signatures of links.
 */
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
      req: (req: { id: string; method: string; url: string }) => ({
        id: req.id,
        method: req.method,
        path: req.url.split('?')[0],
      }),
      res: (res: { statusCode: number }) => ({ status: res.statusCode }),
    },
    customLogLevel: (_req, res) => (res.statusCode >= 500 ? 'warn' : 'info'),
  });
