import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { metrics } from '@hearth/core/metrics/metrics.ts';
import { createSemaphore } from '../limits/semaphore.ts';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { minPasswordLength } from '@hearth/contract/limits.ts';
import { AppError } from '@hearth/core/log/errors.ts';

/**
 * Refuses a password that many people have, whatever its letter case: attackers try these first (NIST SP 800-63B-4, 3.1.1.2).
 * @param path the name of the password in the request
 * @throws AppError VALIDATION_FAILED
 */
export const refuseCommonPassword = async (password: string, path: string): Promise<void> => {
  if (!(await (commonPasswords ??= loadCommonPasswords())).has(password.toLowerCase())) return;
  const message = 'is a password that many people have, and the first that is tried: choose another one';
  throw new AppError('VALIDATION_FAILED', `the password ${message}`, { errors: [{ path, message }] });
};

/** The common passwords that are long enough to be chosen: 17,950 of 49,233. Loaded only when a password is chosen, which most processes never need. */
const loadCommonPasswords = async (): Promise<ReadonlySet<string>> => {
  const path = fileURLToPath(import.meta.resolve('@zxcvbn-ts/language-common/src/passwords.json'));
  const all = JSON.parse(await readFile(path, 'utf8')) as readonly string[];
  return new Set(all.filter(({ length }) => length >= minPasswordLength).map((each) => each.toLowerCase()));
};

let commonPasswords: Promise<ReadonlySet<string>> | undefined;

/**
 * Hashes are made two at a time, of 19 MiB each: a flood of logins takes neither the machine's memory nor all four of the threads
 * that read files for everybody else. The last of 100 waiting hashes waits about as long as a person would.
 */
const hashing = createSemaphore({ permits: 2, maxWaiting: 100 });

/**
 * The argon2id hash of a password that somebody chooses, with the library's defaults: 19 MiB, two passes (OWASP's first choice).
 * @throws AppError VALIDATION_FAILED where many people have it
 */
export const hashNewPassword = async (password: string): Promise<string> => {
  await refuseCommonPassword(password, 'body.password');
  return hashPassword(password);
};

/** Whether `password` has this hash. Without a hash the answer is false and takes as long, so that nobody can find out which user names exist. */
export const verifyPassword = async (passwordHash: string | undefined, password: string): Promise<boolean> => {
  const expected = passwordHash ?? (await nobodysHash);
  const matches = await counted(() => verify(expected, password));
  return matches && passwordHash !== undefined;
};

/** @throws AppError UNAVAILABLE where too many passwords wait to be hashed */
const counted = async <Result>(work: () => Promise<Result>): Promise<Result> =>
  hashing(async () => {
    metrics.passwordHashes.inc();
    return work();
  });

const hashPassword = async (password: string): Promise<string> => counted(() => hash(password));

const nobodysHash = hashPassword(randomBytes(16).toString('hex'));
