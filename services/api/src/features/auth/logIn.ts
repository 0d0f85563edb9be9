import { insertAuditEntry } from '../../accounts/auditLog.ts';
import { insertSession } from '../../accounts/sessions.ts';
import { findUserByUsername } from '../../accounts/users.ts';
import { AppError } from '@hearth/core/log/errors.ts';
import type { Deps } from '../../deps/deps.ts';
import { verifyPassword } from '../../accounts/passwords.ts';
import { rateLimitAttempts } from '../../http/access/rateLimitAttempts.ts';

/** Credentials and client of a sign-in. */
export interface Login {
  readonly username: string;
  readonly password: string;
  readonly network: string;
  readonly device: string | undefined;
  readonly address: string;
  readonly requestId: string;
}

/**
 * Opens a session. A wrong username takes as long, counts as much and gets the same response as a wrong password.
 * @throws AppError UNAUTHORIZED or TOO_MANY_ATTEMPTS
 */
export const logIn = async (
  deps: Pick<Deps, 'db' | 'tokens' | 'attempts' | 'oneTimeCode'>,
  { username, password, device, ...origin }: Login,
): Promise<{ accessToken: string; refreshToken: string }> => {
  const { db, tokens, oneTimeCode } = deps;
  const session = await rateLimitAttempts(deps, { kind: 'account', username, ...origin }, async () => {
    const user = await findUserByUsername(db, username);
    const isRight = await verifyPassword(user?.password_hash, password);
    if (user === undefined || !isRight) return undefined;
    return insertSession(db, { userId: user.id, passwordHash: user.password_hash, network: origin.network, device });
  });
  if (session === undefined) throw new AppError('UNAUTHORIZED');
  oneTimeCode.revoke();
  const { address, requestId } = origin;
  await insertAuditEntry(db, { action: 'SIGNED_IN', actor: 'USER', userId: session.userId, address, requestId });
  return { accessToken: tokens.issue(session), refreshToken: session.refreshToken };
};
