import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/** The argon2id hash of a password, with the library's defaults: 19 MiB, two passes (OWASP's first choice). */
export const hashPassword = async (password: string): Promise<string> => hash(password);

/** Whether `password` has this hash. Without a hash it is false after the same work, so that a user name cannot be guessed. */
export const verifyPassword = async (passwordHash: string | undefined, password: string): Promise<boolean> => {
  const matches = await verify(passwordHash ?? (await nobodysHash), password);
  return matches && passwordHash !== undefined;
};

const nobodysHash = hashPassword(randomBytes(16).toString('hex'));
