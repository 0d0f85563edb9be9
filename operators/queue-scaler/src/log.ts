import { pino, type Logger } from 'pino';

export type Log = Logger;

/** A logger that writes one JSON line per message to standard output, with times in RFC 3339. */
export const createLog = (level: string): Log =>
  pino({
    level,
    base: { process: 'queue-scaler' },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
  });
