import type { Request } from 'express';
import { findUserOfRefreshToken, refreshSession, type ClientInfo, deleteSession } from '../../accounts/sessions.ts';
import { changePassword as change } from './changePassword.ts';
import { logIn } from './logIn.ts';
import { logInOnce as signInOnce } from './logInOnce.ts';
import { getBearerToken } from '../../http/access/authenticate.ts';
import { getAddress, getNetwork, describeClient } from '../../http/requests/clientAddress.ts';
import type { Deps } from '../../deps/deps.ts';
import type { Handlers } from '../../http/handle.ts';
import {
  clearCachedPictures,
  clearSessionCookie,
  clearEndedSession,
  storeRefreshTokenInCookie,
  isCookieSession,
  getSessionCookie,
} from '../../http/access/sessionCookie.ts';
import { presentFeatures } from '../../accounts/presentUser.ts';
import { AppError } from '@hearth/core/log/errors.ts';

const login: Handlers['login'] = async (deps, { body, req, requestId }) => {
  const tokens = await logIn(deps, { ...body, requestId, ...describeClient(req) });
  await endEarlierSession(deps, req);
  return { status: 200, body: storeRefreshTokenInCookie(deps.config, req, tokens) };
};

const logInOnce: Handlers['logInOnce'] = async (deps, { body, req, requestId }) => {
  const tokens = await signInOnce(deps, { ...body, requestId, ...describeClient(req) });
  await endEarlierSession(deps, req);
  return { status: 200, body: storeRefreshTokenInCookie(deps.config, req, tokens) };
};

/**
 * Ends the session of the browser's previous cookie. The new cookie replaces it, so the browser could not end that session
 * later.
 */
const endEarlierSession = async ({ db }: Pick<Deps, 'db'>, req: Request): Promise<void> => {
  const earlier = getSessionCookie(req);
  const earlierSession = earlier === undefined ? undefined : await findUserOfRefreshToken(db, earlier);
  if (earlierSession === undefined) return;
  await deleteSession(db, earlierSession.sessionId);
  clearCachedPictures(req);
};

const refresh: Handlers['refresh'] = async (deps, { body, req, requestId }) => {
  // The body takes precedence, because a client may send its access token with every request.
  const token = isCookieSession(req) ? getSessionCookie(req) : (body.refreshToken ?? getBearerToken(req));
  const client = { requestId, ...describeClient(req) };
  const tokens = await refreshTokens(deps, token, client).catch(clearEndedSession(deps.config, req));
  return { status: 200, body: storeRefreshTokenInCookie(deps.config, req, tokens) };
};

const logout: Handlers['logout'] = async ({ db, tokens, config }, { user, req }) => {
  await deleteSession(db, user.sessionId);
  const token = getBearerToken(req);
  const tokenSession = token === undefined ? undefined : tokens.verify(token)?.sessionId;
  // If another user has signed in meanwhile in another tab, signs both out.
  if (tokenSession !== undefined && tokenSession !== user.sessionId) await deleteSession(db, tokenSession);
  clearSessionCookie(config, req);
  return { status: 204 };
};

const changePassword: Handlers['changePassword'] = async (deps, { body, user, req, requestId }) => {
  const tokens = await change(deps, user, { ...body, requestId, network: getNetwork(req), address: getAddress(req) });
  return { status: 200, body: storeRefreshTokenInCookie(deps.config, req, tokens) };
};

const getFeatures: Handlers['getFeatures'] = async (_deps, { user }) => ({
  status: 200,
  body: presentFeatures(user.features),
});

export const authHandlers = {
  login,
  logInOnce,
  refresh,
  logout,
  changePassword,
  getFeatures,
} satisfies Partial<Handlers>;

/**
 * Continues a session.
 * @throws AppError UNAUTHORIZED; for a reused token, after ending the session
 */
const refreshTokens = async (
  { db, tokens, log }: Pick<Deps, 'db' | 'tokens' | 'log'>,
  refreshToken: string | undefined,
  client: ClientInfo & { readonly requestId: string },
): Promise<{ accessToken: string; refreshToken: string }> => {
  const session = refreshToken === undefined ? undefined : await refreshSession(db, refreshToken, client);
  if (session === 'REUSED') log.warn({ requestId: client.requestId }, 'old refresh token reused; session ended');
  if (session === undefined || session === 'REUSED') throw new AppError('UNAUTHORIZED');
  return { accessToken: tokens.issue(session), refreshToken: session.refreshToken };
};
