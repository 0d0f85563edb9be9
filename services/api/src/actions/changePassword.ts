import { findOwnCredentials, replacePassword } from '@hearth/core/db/accounts/ownPassword.ts';
import type { SessionUser } from '@hearth/core/db/accounts/sessions.ts';
import { AppError } from '@hearth/core/errors.ts';
import { refuseCommonPassword } from '../commonPasswords.ts';
import type { Deps } from '../deps.ts';
import { hashNewPassword, verifyPassword } from '../passwords.ts';
import { rateLimitAttempts } from './rateLimitAttempts.ts';

/** The password that a user has, and the one to have instead. */
export interface PasswordChange {
  readonly currentPassword: string;
  readonly newPassword: string;
  readonly network: string;
  readonly address: string;
  readonly requestId: string;
}

/**
 * Changes the own password and ends every other session. The current one is counted as in a sign-in, so that a stolen access token is of no
 * use for guessing it.
 * @throws AppError VALIDATION_FAILED, TOO_MANY_ATTEMPTS, and UNAUTHORIZED where the account has gone meanwhile
 */
export const changePassword = async (
  deps: Pick<Deps, 'db' | 'attempts'>,
  { userId, sessionId }: SessionUser,
  { currentPassword, newPassword, ...where }: PasswordChange,
): Promise<void> => {
  const credentials = await findOwnCredentials(deps.db, userId);
  if (credentials === undefined) throw new AppError('UNAUTHORIZED');
  const { username, passwordHash: oldHash } = credentials;
  await refuseCommonPassword(newPassword, 'body.newPassword');
  const isChanged = await rateLimitAttempts(deps, { kind: 'account', username, ...where }, async () => {
    if (!(await verifyPassword(oldHash, currentPassword))) return undefined;
    const newHash = await hashNewPassword(newPassword);
    return (await replacePassword(deps.db, { userId, sessionId, oldHash, newHash })) || undefined;
  });
  if (isChanged === undefined) {
    const message = 'is not the current password';
    throw new AppError('VALIDATION_FAILED', undefined, { errors: [{ path: 'body.currentPassword', message }] });
  }
};
