import type { CookieOptions, Request } from 'express';
import type { Tokens } from '@hearth/contract/auth.ts';
import { refreshTokenDays } from '@hearth/core/db/accounts/sessions.ts';
import { AppError } from '@hearth/core/errors.ts';
import type { ApiConfig } from '../config/config.ts';

const cookieName = 'hearth_session';

/** Whether the client is a page in a browser that keeps its refresh token in a cookie. No form can send this header, and no page of another origin may. */
export const isCookieSession = (req: Request): boolean => req.get('X-Hearth-Session') === 'cookie';

/** The refresh token in a browser's cookie; undefined where there is none, or where the request does not say that it shall count. */
export const sessionCookieOf = (req: Request): string | undefined => {
  if (!isCookieSession(req)) return undefined;
  const pairs = (req.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const pair = pairs.find((text) => text.startsWith(`${cookieName}=`));
  return pair?.slice(cookieName.length + 1);
};

/** The tokens as the client asked for them: all in the body, or the refresh token in a cookie, where no script can read it. */
export const handOver = (config: ApiConfig, req: Request, tokens: Tokens): Tokens => {
  if (!isCookieSession(req)) return tokens;
  const maxAge = refreshTokenDays * 24 * 60 * 60 * 1_000;
  req.res?.cookie(cookieName, tokens.refreshToken, { ...cookieOptions(config, req), maxAge });
  // Clients of the released contract find a text in every answer.
  return { ...tokens, refreshToken: '' };
};

/** Has a browser forget a session that is over. */
export const forgetSessionCookie = (config: ApiConfig, req: Request): void => {
  if (isCookieSession(req)) req.res?.clearCookie(cookieName, cookieOptions(config, req));
};

/** Rethrows what was answered to a session; where it is over, the browser forgets it. */
export const forgetWhereOver =
  (config: ApiConfig, req: Request) =>
  (error: unknown): never => {
    if (error instanceof AppError && error.code === 'UNAUTHORIZED') forgetSessionCookie(config, req);
    throw error;
  };

/** Express has found out by the trusted proxies whether people came by https; where they are not named, the public address tells. */
const cookieOptions = ({ publicUrl }: ApiConfig, req: Request): CookieOptions => ({
  httpOnly: true,
  sameSite: 'strict',
  secure: req.secure || publicUrl?.startsWith('https:') === true,
  path: `${publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '')}/v1/auth`,
});
