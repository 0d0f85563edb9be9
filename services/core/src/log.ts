import { pino, type Logger, type SerializedError } from 'pino';

export type Log = Logger;

/** Never written; `*` stands for one level. */
const secretPaths = ['password', '*.password', 'authorization', 'headers.authorization', 'req.headers.authorization'];

/** A logger that writes one JSON line per message to standard output, with times in RFC 3339. */
export const createLog = (process: string, level: string): Log =>
  pino({
    level,
    base: { process },
    redact: { paths: secretPaths, censor: '(secret)' },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    serializers: { err: pino.stdSerializers.wrapErrorSerializer(withoutClient) },
    formatters: { level: (label) => ({ level: label }) },
  });

/** The pool hangs the whole broken connection on its errors: kilobytes that say nothing. */
const withoutClient = (error: SerializedError): SerializedError => {
  delete error['client'];
  return error;
};
