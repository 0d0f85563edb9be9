import { homedir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { z } from 'zod';
import { featureNames } from '@hearth/contract/vocabulary.ts';
import { flag, port, text, timeZone, variable, wholeNumber, type ConfigOf } from './config.ts';
import type { S3Settings } from './s3Settings.ts';

export const logLevel = (fallback: 'info' | 'warn') =>
  z.enum(['debug', 'info', 'warn', 'error'], { error: 'expected debug, info, warn or error' }).default(fallback);

const serverTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Returns the default data folder. It is outside of the checkout, where `git clean` would delete it. */
const defaultDataDirectory = (env: NodeJS.ProcessEnv): string =>
  join(env['XDG_DATA_HOME'] || join(homedir(), '.local', 'share'), 'hearth');

/** The root folder of this checkout. */
const checkout = resolve(import.meta.dirname, '../../../..');

const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}${sep}`);

/** The variables that the API and the workers share. */
export const commonVariables = (env: NodeJS.ProcessEnv) => ({
  dataDirectory: variable({
    name: 'HEARTH_DATA_DIR',
    description: 'Folder of the embedded database, the objects and the generated secrets',
    schema: text()
      .default(defaultDataDirectory(env))
      // npm changes the working directory. INIT_CWD is the folder where the user called npm.
      .transform((path) => resolve(env['INIT_CWD'] ?? process.cwd(), path))
      .refine((path) => !isWithin(path, checkout), {
        error: 'expected a folder outside the project, where git clean cannot delete it',
      }),
    default: '$XDG_DATA_HOME/hearth, else ~/.local/share/hearth',
  }),
  diskReserveBytes: variable({
    name: 'HEARTH_DISK_RESERVE_BYTES',
    description:
      'Reserve of free bytes on each used file system; below it, uploads are rejected and processing waits, but deleting works; 0 for none',
    schema: wholeNumber(0, Number.MAX_SAFE_INTEGER, undefined),
    default: 'the larger of 2 GiB and 2 %, at most a tenth',
  }),
  metricsHost: variable({
    name: 'HEARTH_METRICS_HOST',
    description: 'Listen address of the metrics, which have no password',
    schema: text().default('127.0.0.1'),
    default: '127.0.0.1',
  }),
  metricsPort: variable({
    name: 'HEARTH_METRICS_PORT',
    description: 'Port of the metrics; 0 turns them off',
    schema: port(9464),
    default: '9464',
  }),
  timeZone: variable({
    name: 'HEARTH_TIMEZONE',
    description: 'Time zone of photos without an offset or a position',
    schema: timeZone(serverTimeZone),
    default: "the server's",
  }),
  featuresOff: variable({
    name: 'HEARTH_FEATURES_OFF',
    description: `Features turned off for everyone, separated by commas: ${featureNames.join(', ')}`,
    schema: z
      .string()
      .default('')
      .transform((value) => value.split(',').map((name) => name.trim()))
      .transform((names) => names.filter((name) => name !== ''))
      .pipe(z.array(z.enum(featureNames, { error: `expected names among ${featureNames.join(', ')}` }))),
    default: 'none',
  }),
  logLevel: variable({
    name: 'HEARTH_LOG_LEVEL',
    description: 'Lowest level to log: debug, info, warn or error',
    schema: logLevel('info'),
    default: 'info',
  }),
});

const postgresUrl = () =>
  text().refine((value) => /^postgres(ql)?:\/\//.test(value), { error: 'expected postgres://…' });

/** The database of a process that does not start the embedded one. */
export const databaseVariables = {
  databaseUrl: variable({
    name: 'HEARTH_DATABASE_URL',
    description: 'PostgreSQL 15 or newer, as postgres://user:password@host:5432/database',
    schema: postgresUrl(),
    secret: true,
  }),
  databaseDirectUrl: variable({
    name: 'HEARTH_DATABASE_DIRECT_URL',
    description:
      'The same database without a transaction pooler, for migrations and the queue; required if HEARTH_DATABASE_URL uses a pooler',
    schema: postgresUrl().optional(),
    default: 'HEARTH_DATABASE_URL',
    secret: true,
  }),
};

/** Redis and S3. Without them, the queue is in the database, and files are in a folder. */
export const backEndVariables = (env: NodeJS.ProcessEnv) => ({
  redisUrl: variable({
    name: 'HEARTH_REDIS_URL',
    description: 'Redis or Valkey for the queue, as redis://user:password@host:6379/0',
    schema: text()
      .refine((value) => /^rediss?:\/\//.test(value), { error: 'expected redis://… or rediss://…' })
      .optional(),
    default: 'the queue is stored in the database',
    secret: true,
  }),
  s3Endpoint: variable({
    name: 'HEARTH_S3_ENDPOINT',
    description: 'S3 service for the files, such as https://s3.example.org',
    schema: httpOrigin().optional(),
    default: 'files are stored in a folder of the data directory',
  }),
  s3Region: variable({
    name: 'HEARTH_S3_REGION',
    description: 'Region of the bucket',
    schema: text().default('us-east-1'),
    default: 'us-east-1',
  }),
  s3Bucket: variable({
    name: 'HEARTH_S3_BUCKET',
    description: 'Bucket, created if missing',
    schema: z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, { error: 'expected the name of an S3 bucket' })
      .default('hearth'),
    default: 'hearth',
  }),
  s3AccessKey: variable({
    name: 'HEARTH_S3_ACCESS_KEY',
    description: 'Access key of the S3 service',
    schema: requiredWithS3Endpoint(env),
    default: 'none; required with HEARTH_S3_ENDPOINT',
    secret: true,
  }),
  s3SecretKey: variable({
    name: 'HEARTH_S3_SECRET_KEY',
    description: 'Secret key of the S3 service',
    schema: requiredWithS3Endpoint(env),
    default: 'none; required with HEARTH_S3_ENDPOINT',
    secret: true,
  }),
  s3PublicUrl: variable({
    name: 'HEARTH_S3_PUBLIC_URL',
    description: 'Public URL of the same S3 service, for HEARTH_S3_DIRECT_LINKS',
    schema: httpOrigin().optional(),
    default: 'none; the API serves the files',
  }),
  s3DirectLinks: variable({
    name: 'HEARTH_S3_DIRECT_LINKS',
    description:
      '1: file links point to HEARTH_S3_PUBLIC_URL. They expire within 1 hour; changing a password does not end them earlier',
    schema: flag().refine((isOn) => !isOn || env['HEARTH_S3_PUBLIC_URL'], {
      error: 'needs HEARTH_S3_PUBLIC_URL, the address at which browsers reach the S3 service',
    }),
    default: '0',
  }),
  s3CapacityBytes: variable({
    name: 'HEARTH_S3_CAPACITY_BYTES',
    description: 'Capacity of the S3 service in bytes, for GET /disk',
    schema: wholeNumber(1, Number.MAX_SAFE_INTEGER, undefined),
    default: 'unknown',
  }),
});

type BackEndConfig = ConfigOf<ReturnType<typeof backEndVariables>>;

/** Returns the S3 settings, or undefined if files are stored in a folder. */
export const getS3Settings = (config: BackEndConfig): S3Settings | undefined =>
  config.s3Endpoint === undefined
    ? undefined
    : {
        endpoint: config.s3Endpoint,
        region: config.s3Region,
        bucket: config.s3Bucket,
        accessKey: config.s3AccessKey ?? '',
        secretKey: config.s3SecretKey ?? '',
        publicUrl: getDirectLinksUrl(config),
        capacityBytes: config.s3CapacityBytes,
      };

/** Returns the origin of direct links to the store, or undefined if the API serves the files. */
export const getDirectLinksUrl = ({
  s3DirectLinks,
  s3PublicUrl,
}: Pick<BackEndConfig, 's3DirectLinks' | 's3PublicUrl'>) => (s3DirectLinks ? s3PublicUrl : undefined);

const httpOrigin = () =>
  z.string().regex(/^https?:\/\/[^\s/?#@]+$/, { error: 'expected http://host:port or https://host, without a path' });

const requiredWithS3Endpoint = (env: NodeJS.ProcessEnv) =>
  z
    .string()
    .optional()
    .refine((value) => value !== undefined || !env['HEARTH_S3_ENDPOINT'], {
      error: 'required with HEARTH_S3_ENDPOINT',
    });
