import { randomBytes, randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { signingSecret } from '../config/config.ts';

/** A user name and a password that a person can type. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** What embedded mode makes once and keeps in `<data>/secrets.json`, readable by its owner alone. */
export interface Secrets {
  readonly databasePassword: string;
  readonly adminPassword: string;
  readonly tokenSecret: string;
  readonly linkSecret: string;
  /** Earlier secrets that are still accepted; people add them by hand. */
  readonly tokenSecretPrevious?: readonly string[] | undefined;
  readonly linkSecretPrevious?: readonly string[] | undefined;
  /** The first user's password until it has been shown; afterwards only its hash is left, in the database. */
  readonly firstUser?: Credentials | undefined;
}

/** The secrets of a data directory; made, with a first user, where there are none. A key that was taken out is made anew. */
export const loadSecrets = async (directory: string): Promise<Secrets> => {
  const keys = { tokenSecret: randomSecret(), linkSecret: randomSecret() };
  const existing = findSecrets(directory);
  const secrets: Secrets = existing
    ? { ...keys, ...existing }
    : {
        databasePassword: randomSecret(),
        adminPassword: randomPassword(),
        ...keys,
        firstUser: { username: 'family', password: randomPassword() },
      };
  if (existing?.tokenSecret === undefined || existing.linkSecret === undefined) await saveSecrets(directory, secrets);
  return secrets;
};

/** The file as people may have left it: they rotate keys by hand, and a key that is none would let everybody sign. */
const secretsFile = z.looseObject({
  databasePassword: z.string().min(1),
  adminPassword: z.string().min(1),
  tokenSecret: signingSecret.optional(),
  linkSecret: signingSecret.optional(),
  tokenSecretPrevious: z.array(signingSecret).optional(),
  linkSecretPrevious: z.array(signingSecret).optional(),
  firstUser: z.object({ username: z.string(), password: z.string() }).optional(),
});

/**
 * The secrets of a data directory, if it has been started before.
 * @throws Error that says what is wrong with the file, and nothing of what stands in it
 */
export const findSecrets = (directory: string): z.output<typeof secretsFile> | undefined => {
  const path = secretsPath(directory);
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`${path} cannot be read: restore it from a backup`, { cause: error });
  }
  const parsed = secretsFile.safeParse(content);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path: at, message }) => `${at.join('.')}: ${message}`);
  throw new Error(`${path} is not usable: ${problems.join('; ')}`);
};

/** Replaces the secrets in one step: a crash leaves the old ones or the new ones, never half a file. */
export const saveSecrets = async (directory: string, secrets: Secrets): Promise<void> => {
  const path = secretsPath(directory);
  const file = await open(`${path}.new`, 'w', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(secrets, undefined, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
};

/** About 79 random bits in lower-case letters and digits that are not mistaken for one another, in groups of four. */
export const randomPassword = (): string => {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
  const characters = Array.from({ length: 16 }, () => alphabet[randomInt(alphabet.length)]);
  return [0, 4, 8, 12].map((start) => characters.slice(start, start + 4).join('')).join('-');
};

const secretsPath = (directory: string): string => join(directory, 'secrets.json');

const randomSecret = (): string => randomBytes(32).toString('hex');
