import { z } from 'zod';
import { commonVariables, databaseVariables } from '@hearth/core/commonConfig.ts';
import { port, text, variable, wholeNumber, type ConfigOf } from '@hearth/core/config.ts';

const GiB = 2 ** 30;

/** A secret that signs something: long enough not to be guessed. */
const signingSecret = text().min(32, { error: 'expected at least 32 characters' });

/** Every variable of the API process, in the order of `--help`. */
export const apiVariables = (env: NodeJS.ProcessEnv) => ({
  port: variable({ name: 'HEARTH_PORT', description: 'Port of the API', schema: port(5001), default: '5001' }),
  ...databaseVariables,
  ...commonVariables(env),
  adminUsername: variable({
    name: 'HEARTH_ADMIN_USERNAME',
    description: 'The administrator of /v1/users',
    schema: text().default('admin'),
    default: 'admin',
  }),
  adminPassword: variable({
    name: 'HEARTH_ADMIN_PASSWORD',
    description: "The administrator's password; npm start makes one",
    schema: text().min(8, { error: 'expected at least 8 characters' }),
    secret: true,
  }),
  tokenSecret: variable({
    name: 'HEARTH_TOKEN_SECRET',
    description: 'Signs access tokens; npm start makes one',
    schema: signingSecret,
    secret: true,
  }),
  linkSecret: variable({
    name: 'HEARTH_LINK_SECRET',
    description: 'Signs the links of files; npm start makes one',
    schema: signingSecret,
    secret: true,
  }),
  publicUrl: variable({
    name: 'HEARTH_PUBLIC_URL',
    description: 'Where people reach Hearth, such as https://photos.example.org; links of files begin with it',
    schema: z
      .string()
      .regex(/^https?:\/\/[^\s/]+(\/[^\s?#]*)?$/, { error: 'expected http://… or https://…' })
      .transform((value) => value.replace(/\/$/, ''))
      .optional(),
    default: 'links are paths on the host that was asked',
  }),
  maxUploadBytes: variable({
    name: 'HEARTH_MAX_UPLOAD_BYTES',
    description: 'Largest file that may be uploaded, in bytes',
    schema: wholeNumber(1, Number.MAX_SAFE_INTEGER, 50 * GiB),
    default: `${50 * GiB} (50 GiB)`,
  }),
  trashDays: variable({
    name: 'HEARTH_TRASH_DAYS',
    description: 'Days after which the trash empties itself',
    schema: wholeNumber(1, 36_500, 30),
    default: '30',
  }),
  gitSha: variable({
    name: 'HEARTH_GIT_SHA',
    description: 'The commit that this process was made from, for GET /version; set by the images',
    schema: z.string().optional(),
    default: 'left out',
  }),
  stopTimeoutSeconds: variable({
    name: 'HEARTH_STOP_TIMEOUT_SECONDS',
    description: 'How long uploads in flight may take to finish when the process is asked to end',
    schema: wholeNumber(1, 3_600, 60),
    default: '60',
  }),
});

export type ApiConfig = ConfigOf<ReturnType<typeof apiVariables>>;
