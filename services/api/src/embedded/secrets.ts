import { randomBytes, randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { signingSecret } from '../config/config.ts';

/** A username and a password that a person can type. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Secrets that embedded mode generates once in `<data>/secrets.json`, readable by the owner only. */
export interface Secrets {
  readonly databasePassword: string;
  readonly adminPassword: string;
  readonly tokenSecret: string;
  readonly linkSecret: string;
  /** Previous token secrets that are still accepted. Added by hand. */
  readonly tokenSecretPrevious?: readonly string[] | undefined;
  /** Previous link secrets that are still accepted. Added by hand. */
  readonly linkSecretPrevious?: readonly string[] | undefined;
  /** The first user's password until it has been shown. Afterwards only its hash exists, in the database. */
  readonly firstUser?: Credentials | undefined;
}

/**
 * Loads the secrets of a data directory, or creates them with a first user. Generates missing keys.
 * @param print called with a sentence for each missing key and its effect, such as ended sessions
 */
export const loadSecrets = async (
  directory: string,
  print: (line: string) => void = () => undefined,
): Promise<Secrets> => {
  const existing = findSecrets(directory);
  if (existing === undefined) {
    const created = { ...createSecrets(), firstUser: { username: 'family', password: randomPassword() } };
    await saveSecrets(directory, created);
    return created;
  }
  const lost = signingKeys.filter(({ key }) => existing[key] === undefined);
  const secrets = { ...createSecrets(), ...existing };
  if (lost.length > 0) await saveSecrets(directory, secrets);
  // A key that was moved to the previous ones was rotated on purpose, so nothing has ended.
  for (const { key, previous, effect } of lost)
    if ((existing[previous] ?? []).length === 0)
      print(`${secretsPath(directory)} had no ${key}; generated a new one: ${effect}`);
  return secrets;
};

/** Generates secrets without a first user. */
export const createSecrets = (): Secrets => ({
  databasePassword: randomSecret(),
  adminPassword: randomPassword(),
  tokenSecret: randomSecret(),
  linkSecret: randomSecret(),
});

/**
 * Checks that the secrets of an existing embedded database are present.
 * @throws Error with advice if they are lost
 */
export const rejectLostSecrets = (directory: string): void => {
  if (existsSync(secretsPath(directory)) || !existsSync(join(directory, 'postgres', 'PG_VERSION'))) return;
  throw new Error(
    `${secretsPath(directory)} is missing. It contains the password of the database in ${join(directory, 'postgres')}. ` +
      `Restore the file from a backup. ${withoutBackup}`,
  );
};

/** Returns true if PostgreSQL rejected the password. */
export const isPasswordRejected = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '28P01';

/**
 * Runs `work` on the embedded database of a data directory.
 * @throws Error with advice if the database rejects the password in secrets.json
 */
export const explainWrongSecrets = async <Result>(directory: string, work: () => Promise<Result>): Promise<Result> =>
  work().catch((error: unknown) => {
    if (!isPasswordRejected(error)) throw error;
    // Omits the cause: its advice is about a configured database.
    throw new Error(
      `${secretsPath(directory)} does not match the database in ${join(directory, 'postgres')}, which has a different password. ` +
        `Restore the right file from a backup. ${withoutBackup}`,
    );
  });

/** Renames secrets.json and returns its new path. */
export const moveSecretsAside = async (directory: string): Promise<string> => {
  const aside = `${secretsPath(directory)}.replaced-${Date.now()}`;
  await rename(secretsPath(directory), aside);
  return aside;
};

const withoutBackup =
  'Without a backup, run "npm run secrets", which sets a new database password and writes a new file. ' +
  'This ends all sessions and file links and sets a new administrator password; nothing else is lost';

const signingKeys = [
  { key: 'tokenSecret', previous: 'tokenSecretPrevious', effect: 'everyone has to sign in again' },
  { key: 'linkSecret', previous: 'linkSecretPrevious', effect: 'existing file links no longer work' },
] as const;

/** Schema of the file. Users rotate keys by hand, and an empty key would let anyone sign tokens. */
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
 * Reads the secrets of a data directory, or returns undefined before the first start.
 * @throws Error with the problems of the file, but none of its content
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
  throw new Error(`${path} is invalid: ${problems.join('; ')}`);
};

/** Replaces the file atomically, so that a crash never leaves half of it. */
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

/**
 * Returns about 79 random bits as lower-case letters and digits in groups of four, without characters that look alike.
 */
export const randomPassword = (): string => {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
  const characters = Array.from({ length: 16 }, () => alphabet[randomInt(alphabet.length)]);
  return [0, 4, 8, 12].map((start) => characters.slice(start, start + 4).join('')).join('-');
};

const secretsPath = (directory: string): string => join(directory, 'secrets.json');

const randomSecret = (): string => randomBytes(32).toString('hex');
