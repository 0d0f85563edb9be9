import { insertAuditEntry } from '../../accounts/auditLog.ts';
import { insertSession } from '../../accounts/sessions.ts';
import { findOwnCredentials } from '../../accounts/ownPassword.ts';
import { AppError } from '@hearth/core/log/errors.ts';
import type { Deps } from '../../deps/deps.ts';
import type { Login } from './logIn.ts';
import { rateLimitAttempts } from '../../http/access/rateLimitAttempts.ts';

/** Subject of a sign-in by code in the audit log. */
const subject = 'one-time code';

/**
 * Opens a session with the one-time code printed at the first start. Wrong codes count like wrong passwords.
 * @throws AppError UNAUTHORIZED or TOO_MANY_ATTEMPTS
 */
export const logInOnce = async (
  deps: Pick<Deps, 'db' | 'tokens' | 'attempts' | 'oneTimeCode'>,
  { code, device, ...origin }: Omit<Login, 'username' | 'password'> & { readonly code: string },
): Promise<{ accessToken: string; refreshToken: string }> => {
  const { db, tokens, oneTimeCode } = deps;
  const session = await rateLimitAttempts(deps, { kind: 'code', username: '', ...origin }, async () =>
    oneTimeCode.redeem(code, async (userId) => {
      const credentials = await findOwnCredentials(db, userId);
      if (credentials === undefined) return undefined;
      return insertSession(db, { userId, passwordHash: credentials.password_hash, network: origin.network, device });
    }),
  );
  if (session === undefined) throw new AppError('UNAUTHORIZED');
  const { address, requestId } = origin;
  const { userId } = session;
  await insertAuditEntry(db, { action: 'SIGNED_IN', actor: 'USER', userId, subject, address, requestId });
  return { accessToken: tokens.issue(session), refreshToken: session.refreshToken };
};
