import { insertSession } from '@hearth/core/db/sessions.ts';
import { findUserByUsername } from '@hearth/core/db/users.ts';
import { AppError } from '@hearth/core/errors.ts';
import type { Deps } from '../deps.ts';
import { verifyPassword } from '../passwords.ts';
import { createRefreshToken, refreshTokenDays } from '../tokens.ts';

/**
 * Opens a session. A wrong user name costs and says the same as a wrong password.
 * @throws AppError UNAUTHORIZED
 */
export const logIn = async (
  { db, tokens }: Pick<Deps, 'db' | 'tokens'>,
  username: string,
  password: string,
): Promise<{ accessToken: string; refreshToken: string }> => {
  const user = await findUserByUsername(db, username);
  const isRight = await verifyPassword(user?.password_hash, password);
  if (user === undefined || !isRight) throw new AppError('UNAUTHORIZED');
  const refresh = createRefreshToken();
  const sessionId = await insertSession(db, {
    userId: user.id,
    passwordHash: user.password_hash,
    refreshTokenHash: refresh.hash,
    expiresAt: new Date(Date.now() + refreshTokenDays * 24 * 60 * 60 * 1_000),
  });
  if (sessionId === undefined) throw new AppError('UNAUTHORIZED');
  return { accessToken: await tokens.issue({ sessionId, userId: user.id }), refreshToken: refresh.token };
};
