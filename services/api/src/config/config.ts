import { isIP, isIPv6 } from 'node:net';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { backEndVariables, commonVariables, databaseVariables } from '@hearth/core/config/commonConfig.ts';
import { modelVariables } from '@hearth/core/config/modelConfig.ts';
import { port, text, variable, wholeNumber, type ConfigOf } from '@hearth/core/config/config.ts';
import { readCheckoutCommit } from '@hearth/core/process/checkoutCommit.ts';

const GiB = 2 ** 30;

/** A secret for signing, long enough to resist guessing. */
export const signingSecret = text().min(32, { error: 'expected at least 32 characters' });

/** Previous secrets, one per line, because any other separator may occur in a secret. */
const earlierSecrets = z
  .string()
  .default('')
  .transform((value): readonly string[] => value.split(/\r?\n/).filter((line) => line.trim() !== ''))
  .pipe(z.array(signingSecret).readonly());

/** All variables of the API process, in the order of `--help`. */
export const apiVariables = (env: NodeJS.ProcessEnv) => ({
  host: variable({
    name: 'HEARTH_HOST',
    description: 'Address to listen on',
    schema: text().default('127.0.0.1'),
    default: '127.0.0.1',
  }),
  port: variable({ name: 'HEARTH_PORT', description: 'Port of the API', schema: port(5001), default: '5001' }),
  ...databaseVariables,
  ...backEndVariables(env),
  ...commonVariables(env),
  ...modelVariables(env),
  adminUsername: variable({
    name: 'HEARTH_ADMIN_USERNAME',
    description: 'The administrator of /v1/users',
    schema: text().default('admin'),
    default: 'admin',
  }),
  adminPassword: variable({
    name: 'HEARTH_ADMIN_PASSWORD',
    description: 'Password of the administrator; npm start generates one',
    schema: text().min(8, { error: 'expected at least 8 characters' }),
    secret: true,
  }),
  tokenSecret: variable({
    name: 'HEARTH_TOKEN_SECRET',
    description: 'Key that signs access tokens; npm start generates one',
    schema: signingSecret,
    secret: true,
  }),
  tokenSecretPrevious: variable({
    name: 'HEARTH_TOKEN_SECRET_PREVIOUS',
    description: 'Earlier values of HEARTH_TOKEN_SECRET, one per line; their access tokens stay valid',
    schema: earlierSecrets,
    default: 'none',
    secret: true,
  }),
  linkSecret: variable({
    name: 'HEARTH_LINK_SECRET',
    description: 'Key that signs file links; npm start generates one',
    schema: signingSecret,
    secret: true,
  }),
  linkSecretPrevious: variable({
    name: 'HEARTH_LINK_SECRET_PREVIOUS',
    description: 'Earlier values of HEARTH_LINK_SECRET, one per line; their links stay valid',
    schema: earlierSecrets,
    default: 'none',
    secret: true,
  }),
  publicUrl: variable({
    name: 'HEARTH_PUBLIC_URL',
    description: 'Public URL of Hearth, such as https://photos.example.org; file links start with it',
    schema: z
      .string()
      .regex(/^https?:\/\/[^\s/?#@]+\/?$/, {
        error: 'expected http://… or https://… without a path; Hearth needs its own host name',
      })
      .transform((value) => value.replace(/\/$/, ''))
      .optional(),
    default: 'links are paths on the requested host',
  }),
  trustedProxies: variable({
    name: 'HEARTH_TRUSTED_PROXIES',
    description:
      'Trusted proxies, whose X-Forwarded-For is used, separated by commas: addresses, ranges such as 10.0.0.0/8, ' +
      'or loopback, linklocal, uniquelocal',
    schema: z
      .string()
      .default('')
      .transform((value) => value.split(',').map((name) => name.trim()))
      .transform((names) => names.filter((name) => name !== ''))
      .refine((names) => names.every(isProxyRange), {
        error: 'expected addresses, ranges such as 10.0.0.0/8, loopback, linklocal or uniquelocal',
      }),
    default: 'none',
  }),
  maxUploadBytes: variable({
    name: 'HEARTH_MAX_UPLOAD_BYTES',
    description: 'Maximum size of an uploaded file, in bytes',
    schema: wholeNumber(1, Number.MAX_SAFE_INTEGER, 50 * GiB),
    default: `${50 * GiB} (50 GiB)`,
  }),
  webDirectory: variable({
    name: 'HEARTH_WEB_DIR',
    description: 'Folder of the built web app, served at /',
    schema: z
      .string()
      .default(join(import.meta.dirname, '..', '..', '..', 'web', 'dist'))
      .transform((directory) => resolve(env['INIT_CWD'] ?? '', directory)),
    default: 'services/web/dist, where it has been built',
  }),
  mapTilesUrl: variable({
    name: 'HEARTH_MAP_TILES_URL',
    description:
      'Tile server for maps: tiles as https://…/{z}/{x}/{y}.png, or a MapLibre style. Browsers request tiles from it, so it sees the viewed places',
    schema: z
      .string()
      .regex(/^https?:\/\/[^\s/{}]+\//, { error: 'expected http://… or https://…' })
      .refine(URL.canParse, { error: 'expected http://… or https://…' })
      .optional(),
    default: 'outlines that come with the web app, so that no request leaves the house',
  }),
  trashDays: variable({
    name: 'HEARTH_TRASH_DAYS',
    description: 'Days after which items in the trash are deleted',
    schema: wholeNumber(1, 36_500, 30),
    default: '30',
  }),
  scrubDays: variable({
    name: 'HEARTH_SCRUB_DAYS',
    description: 'Period of the scrub in days: it reads each original once and compares its checksum; 0 turns it off',
    schema: wholeNumber(0, 3_650, 30),
    default: '30',
  }),
  scrubBytesPerSecond: variable({
    name: 'HEARTH_SCRUB_BYTES_PER_SECOND',
    description: 'Read limit of the scrub, in bytes per second',
    schema: wholeNumber(1, Number.MAX_SAFE_INTEGER, 20_000_000),
    default: '20000000 (20 MB/s)',
  }),
  gitSha: variable({
    name: 'HEARTH_GIT_SHA',
    description: 'Commit of this build, for GET /version; set by the images',
    schema: z
      .string()
      .optional()
      .transform((given) => given ?? readCheckoutCommit()),
    default: "the checkout's",
  }),
  stopTimeoutSeconds: variable({
    name: 'HEARTH_STOP_TIMEOUT_SECONDS',
    description: 'Seconds that active uploads may take to finish at shutdown',
    schema: wholeNumber(1, 3_600, 60),
    default: '60',
  }),
});

/** Returns true if Express accepts the value for `trust proxy`. */
const isProxyRange = (range: string): boolean => {
  const [address = '', bits = '0', ...rest] = range.split('/');
  const isBits = /^\d{1,3}$/.test(bits) && Number(bits) <= (isIPv6(address) ? 128 : 32);
  return (
    ['loopback', 'linklocal', 'uniquelocal'].includes(range) || (isIP(address) !== 0 && isBits && rest.length === 0)
  );
};

export type ApiConfig = ConfigOf<ReturnType<typeof apiVariables>>;
