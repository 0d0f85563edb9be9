import { insertSession } from '@hearth/core/db/sessions.ts';
import { findUserByUsername } from '@hearth/core/db/users.ts';
import { AppError } from '@hearth/core/errors.ts';
import type { Deps } from '../deps.ts';
import { verifyPassword } from '../passwords.ts';
import { limitAttempts } from './limitAttempts.ts';

/** What somebody signs in with, and the network that the request came from. */
export interface Login {
  readonly username: string;
  readonly password: string;
  readonly address: string;
}

/**
 * Opens a session. A wrong user name costs, counts and says the same as a wrong password.
 * @throws AppError UNAUTHORIZED and TOO_MANY_ATTEMPTS
 */
export const logIn = async (
  { db, tokens }: Pick<Deps, 'db' | 'tokens'>,
  { username, password, address }: Login,
): Promise<{ accessToken: string; refreshToken: string }> => {
  const subjects = [
    { kind: 'account', name: username },
    { kind: 'address', name: address },
  ] as const;
  const session = await limitAttempts(db, subjects, async () => {
    const user = await findUserByUsername(db, username);
    const isRight = await verifyPassword(user?.password_hash, password);
    if (user === undefined || !isRight) return undefined;
    return insertSession(db, { userId: user.id, passwordHash: user.password_hash });
  });
  if (session === undefined) throw new AppError('UNAUTHORIZED');
  return { accessToken: await tokens.issue(session), refreshToken: session.refreshToken };
};
