import { findOwnCredentials, replacePassword } from '../../accounts/ownPassword.ts';
import type { SessionUser } from '../../accounts/sessions.ts';
import { AppError } from '@hearth/core/log/errors.ts';
import { rejectCommonPassword, hashNewPassword, verifyPassword } from '../../accounts/passwords.ts';
import type { Deps } from '../../deps/deps.ts';
import { rateLimitAttempts } from '../../http/access/rateLimitAttempts.ts';

export interface PasswordChange {
  readonly currentPassword: string;
  readonly newPassword: string;
  readonly network: string;
  readonly address: string;
  readonly requestId: string;
}

/**
 * Changes the user's own password, ends all other sessions and all file links, and returns new tokens for the current
 * session. A wrong current password counts as a failed sign-in, so that a stolen access token cannot be used to guess
 * it.
 * @throws AppError VALIDATION_FAILED, TOO_MANY_ATTEMPTS, or UNAUTHORIZED if the account was removed meanwhile
 */
export const changePassword = async (
  deps: Pick<Deps, 'db' | 'attempts' | 'tokens'>,
  { userId, sessionId }: SessionUser,
  { currentPassword, newPassword, ...origin }: PasswordChange,
): Promise<{ accessToken: string; refreshToken: string }> => {
  const credentials = await findOwnCredentials(deps.db, userId);
  if (credentials === undefined) throw new AppError('UNAUTHORIZED');
  const { username, password_hash: oldHash } = credentials;
  await rejectCommonPassword(newPassword, 'body.newPassword');
  const session = await rateLimitAttempts(deps, { kind: 'account', username, ...origin }, async () => {
    if (!(await verifyPassword(oldHash, currentPassword))) return undefined;
    const newHash = await hashNewPassword(newPassword);
    return replacePassword(deps.db, { userId, sessionId, oldHash, newHash });
  });
  if (session === undefined) {
    const message = 'is not the current password';
    throw new AppError('VALIDATION_FAILED', undefined, { errors: [{ path: 'body.currentPassword', message }] });
  }
  return { accessToken: deps.tokens.issue(session), refreshToken: session.refreshToken };
};
