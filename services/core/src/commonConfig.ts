import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { port, text, timeZone, variable } from './config.ts';

/** How much is logged. */
export const logLevel = (fallback: 'info' | 'warn') =>
  z.enum(['debug', 'info', 'warn', 'error'], { error: 'expected debug, info, warn or error' }).default(fallback);

const serverTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Where data lies when nothing is said: never inside a checkout, where cleaning the work tree would delete it. */
const defaultDataDirectory = (env: NodeJS.ProcessEnv): string =>
  join(env['XDG_DATA_HOME'] || join(homedir(), '.local', 'share'), 'hearth');

/** The variables that the API and the workers share. */
export const commonVariables = (env: NodeJS.ProcessEnv) => ({
  dataDirectory: variable({
    name: 'HEARTH_DATA_DIR',
    description: 'Folder of the embedded database, the objects and the generated secrets',
    schema: text().default(defaultDataDirectory(env)),
    default: '$XDG_DATA_HOME/hearth, else ~/.local/share/hearth',
  }),
  host: variable({
    name: 'HEARTH_HOST',
    description: 'Address to listen on',
    schema: text().default('127.0.0.1'),
    default: '127.0.0.1',
  }),
  metricsPort: variable({
    name: 'HEARTH_METRICS_PORT',
    description: 'Port for Prometheus and nothing else; 0 switches it off',
    schema: port(9464),
    default: '9464',
  }),
  timeZone: variable({
    name: 'HEARTH_TIMEZONE',
    description: 'Time zone of photos that name neither an offset nor a position',
    schema: timeZone(serverTimeZone),
    default: "the server's",
  }),
  logLevel: variable({
    name: 'HEARTH_LOG_LEVEL',
    description: 'Least important messages to log: debug, info, warn or error',
    schema: logLevel('info'),
    default: 'info',
  }),
});

/** The database of a process that does not start one of its own. */
export const databaseVariables = {
  databaseUrl: variable({
    name: 'HEARTH_DATABASE_URL',
    description: 'PostgreSQL 15 or newer, as postgres://user:password@host:5432/database',
    schema: text().refine((value) => /^postgres(ql)?:\/\//.test(value), { error: 'expected postgres://…' }),
    secret: true,
  }),
  databaseDirectUrl: variable({
    name: 'HEARTH_DATABASE_DIRECT_URL',
    description: 'The same database past a transaction pooler, for migrations and the queue',
    schema: z.string().optional(),
    default: 'HEARTH_DATABASE_URL',
    secret: true,
  }),
};
