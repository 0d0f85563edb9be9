import { pino, type Logger, type SerializedError } from 'pino';

export type Log = Logger;

/** Paths of redacted values; `*` stands for one level. */
const secretPaths = ['password', '*.password', 'authorization', 'headers.authorization', 'req.headers.authorization'];

/** Creates a logger that writes one JSON line per message to standard output, with times in RFC 3339. */
export const createLog = (process: string, level: string): Log =>
  pino({
    level,
    base: { process },
    redact: { paths: secretPaths, censor: '(secret)' },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    serializers: { err: pino.stdSerializers.wrapErrorSerializer(withoutData) },
    formatters: { level: (label) => ({ level: label }) },
  });

/**
 * Removes data that libraries attach to an error: the pool attaches a connection, the Redis client a command with the
 * rejected password, and PostgreSQL the rejected row, possibly with a password hash.
 */
const withoutData = (error: SerializedError): SerializedError => {
  for (const property of ['client', 'command', 'detail', 'where', 'parameters']) delete error[property];
  return error;
};
