import type { CookieOptions, Request } from 'express';
import type { Tokens } from '@hearth/contract/auth.ts';
import { refreshTokenDays } from '../../accounts/sessions.ts';
import { AppError } from '@hearth/core/log/errors.ts';
import type { ApiConfig } from '../../config/config.ts';

const cookieName = 'hearth_session';

/** Whether the client is a web page that keeps its refresh token in a cookie. A form cannot send this header, and a page of another origin may not. */
export const isCookieSession = (req: Request): boolean => req.get('X-Hearth-Session') === 'cookie';

/** The refresh token in a browser's cookie; undefined if there is none, or if the request lacks the header that makes it count. */
export const sessionCookieOf = (req: Request): string | undefined => {
  if (!isCookieSession(req)) return undefined;
  const pairs = (req.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const pair = pairs.find((text) => text.startsWith(`${cookieName}=`));
  return pair?.slice(cookieName.length + 1);
};

/** Returns the tokens for the response body. If the client asked for a cookie, the refresh token goes there, where no script can read it. */
export const handOver = (config: ApiConfig, req: Request, tokens: Required<Tokens>): Tokens => {
  if (!isCookieSession(req)) return tokens;
  const maxAge = refreshTokenDays * 24 * 60 * 60 * 1_000;
  req.res?.cookie(cookieName, tokens.refreshToken, { ...cookieOptions(config, req), maxAge });
  return { accessToken: tokens.accessToken };
};

/** Makes a browser forget an ended session, and the pictures of it. */
export const forgetSessionCookie = (config: ApiConfig, req: Request): void => {
  if (!isCookieSession(req)) return;
  req.res?.clearCookie(cookieName, cookieOptions(config, req));
  forgetPictures(req);
};

/**
 * Makes a browser forget the pictures that it keeps until their links expire: whoever uses it next could read them, by a link in its history or in the
 * files of the browser. Browsers do so where the page came by https or from this machine.
 */
export const forgetPictures = (req: Request): void => void req.res?.set('Clear-Site-Data', '"cache"');

/** Rethrows an error; if it says that the session is over, the browser forgets its cookie. */
export const forgetEndedSession =
  (config: ApiConfig, req: Request) =>
  (error: unknown): never => {
    if (error instanceof AppError && error.code === 'UNAUTHORIZED') forgetSessionCookie(config, req);
    throw error;
  };

/** The options of the cookie. Express knows by the trusted proxies whether the client uses https; if none is named, the public address tells. */
const cookieOptions = ({ publicUrl }: ApiConfig, req: Request): CookieOptions => ({
  httpOnly: true,
  sameSite: 'strict',
  secure: req.secure || publicUrl?.startsWith('https:') === true,
  path: '/v1/auth',
});
