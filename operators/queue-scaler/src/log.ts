import { pino, type Logger } from 'pino';

export type Log = Logger;

/** Creates a logger that writes one JSON line per message to standard output, with RFC 3339 times. */
export const createLog = (level: string): Log =>
  pino({
    level,
    base: { process: 'queue-scaler' },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
  });
