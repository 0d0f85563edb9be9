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
