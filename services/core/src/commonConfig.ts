import { homedir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { z } from 'zod';
import { port, text, timeZone, variable } from './config.ts';

/** How much is logged. */
export const logLevel = (fallback: 'info' | 'warn') =>
  z.enum(['debug', 'info', 'warn', 'error'], { error: 'expected debug, info, warn or error' }).default(fallback);

const serverTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Where data lies when nothing is said: never inside a checkout, where cleaning the work tree would delete it. */
const defaultDataDirectory = (env: NodeJS.ProcessEnv): string =>
  join(env['XDG_DATA_HOME'] || join(homedir(), '.local', 'share'), 'hearth');

/** The folder that this code lies in. */
const checkout = resolve(import.meta.dirname, '..', '..', '..');

const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}${sep}`);

/** The variables that the API and the workers share. */
export const commonVariables = (env: NodeJS.ProcessEnv) => ({
  dataDirectory: variable({
    name: 'HEARTH_DATA_DIR',
    description: 'Folder of the embedded database, the objects and the generated secrets',
    schema: text()
      .default(defaultDataDirectory(env))
      // npm starts us elsewhere than where its user stands.
      .transform((path) => resolve(env['INIT_CWD'] ?? process.cwd(), path))
      .refine((path) => !isWithin(path, checkout), {
        error: 'expected a folder outside of the project, which git may clean',
      }),
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

const postgresUrl = () =>
  text().refine((value) => /^postgres(ql)?:\/\//.test(value), { error: 'expected postgres://…' });

/** The database of a process that does not start one of its own. */
export const databaseVariables = {
  databaseUrl: variable({
    name: 'HEARTH_DATABASE_URL',
    description: 'PostgreSQL 15 or newer, as postgres://user:password@host:5432/database',
    schema: postgresUrl(),
    secret: true,
  }),
  databaseDirectUrl: variable({
    name: 'HEARTH_DATABASE_DIRECT_URL',
    description: 'The same database past a transaction pooler, for migrations and the queue',
    schema: postgresUrl().optional(),
    default: 'HEARTH_DATABASE_URL',
    secret: true,
  }),
};
