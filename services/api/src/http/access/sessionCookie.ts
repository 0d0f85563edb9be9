import type { CookieOptions, Request } from 'express';
import type { Tokens } from '@hearth/contract/auth.ts';
import { refreshTokenDays } from '../../accounts/sessions.ts';
import { AppError } from '@hearth/core/log/errors.ts';
import type { ApiConfig } from '../../config/config.ts';

const cookieName = 'hearth_session';

/**
 * Returns true for a web page that keeps its refresh token in a cookie. Guards against CSRF: forms cannot send this
 * header, and pages of other origins may not.
 */
export const isCookieSession = (req: Request): boolean => req.get('X-Hearth-Session') === 'cookie';

/** Returns the refresh token of a browser's cookie, or undefined without the cookie or the required header. */
export const getSessionCookie = (req: Request): string | undefined => {
  if (!isCookieSession(req)) return undefined;
  const pairs = (req.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const pair = pairs.find((text) => text.startsWith(`${cookieName}=`));
  return pair?.slice(cookieName.length + 1);
};

/**
 * Returns the tokens for the response body. If the client requests a cookie, sets the refresh token there instead, out
 * of reach of scripts.
 */
export const storeRefreshTokenInCookie = (config: ApiConfig, req: Request, tokens: Required<Tokens>): Tokens => {
  if (!isCookieSession(req)) return tokens;
  const maxAge = refreshTokenDays * 24 * 60 * 60 * 1_000;
  req.res?.cookie(cookieName, tokens.refreshToken, { ...cookieOptions(config, req), maxAge });
  return { accessToken: tokens.accessToken };
};

/** Clears the cookie and the cached pictures of an ended session. */
export const clearSessionCookie = (config: ApiConfig, req: Request): void => {
  if (!isCookieSession(req)) return;
  req.res?.clearCookie(cookieName, cookieOptions(config, req));
  clearCachedPictures(req);
};

/**
 * Clears cached pictures, which browsers keep until their links expire. Otherwise the next user of the browser could
 * find them by a link in the history or in the cache files. Browsers obey only on https or localhost.
 */
export const clearCachedPictures = (req: Request): void => void req.res?.set('Clear-Site-Data', '"cache"');

/** Rethrows an error. Clears the cookie if the error says that the session has ended. */
export const clearEndedSession =
  (config: ApiConfig, req: Request) =>
  (error: unknown): never => {
    if (error instanceof AppError && error.code === 'UNAUTHORIZED') clearSessionCookie(config, req);
    throw error;
  };

/** Cookie options. `secure` follows the connection as seen by trusted proxies, or the public URL. */
const cookieOptions = ({ publicUrl }: ApiConfig, req: Request): CookieOptions => ({
  httpOnly: true,
  sameSite: 'strict',
  secure: req.secure || publicUrl?.startsWith('https:') === true,
  path: '/v1/auth',
});
