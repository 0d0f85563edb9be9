import { pino, type Logger, type SerializedError } from 'pino';

export type Log = Logger;

/** Paths of values that are never logged; `*` stands for one level. */
const secretPaths = ['password', '*.password', 'authorization', 'headers.authorization', 'req.headers.authorization'];

/** A logger that writes one JSON line per message to standard output, with times in RFC 3339. */
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
 * An error without the data that libraries attach to it: the pool a whole connection, Redis' client the command with the password that was
 * refused, PostgreSQL the row that was refused, with its hash of a password.
 */
const withoutData = (error: SerializedError): SerializedError => {
  for (const property of ['client', 'command', 'detail', 'where', 'parameters']) delete error[property];
  return error;
};
