import { refreshSession, type SeenClient } from '../../accounts/sessions.ts';
import { AppError } from '@hearth/core/log/errors.ts';
import type { Deps } from '../../deps/deps.ts';

/**
 * Continues a session by its refresh token.
 * @throws AppError UNAUTHORIZED; where the token was used before, the session is ended, too
 */
export const refreshTokens = async (
  { db, tokens, log }: Pick<Deps, 'db' | 'tokens' | 'log'>,
  refreshToken: string | undefined,
  seen: SeenClient & { readonly requestId: string },
): Promise<{ accessToken: string; refreshToken: string }> => {
  const session = refreshToken === undefined ? undefined : await refreshSession(db, refreshToken, seen);
  if (session === 'REUSED')
    log.warn({ requestId: seen.requestId }, 'an old refresh token was used again: its session has been ended');
  if (session === undefined || session === 'REUSED') throw new AppError('UNAUTHORIZED');
  return { accessToken: tokens.issue(session), refreshToken: session.refreshToken };
};
