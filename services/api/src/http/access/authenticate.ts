import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request, Response } from 'express';
import type { RouteAuth } from '@hearth/contract/defineRoute.ts';
import { findSessionUser, type SessionUser } from '../../accounts/sessions.ts';
import { findUserOfRefreshToken } from '../../accounts/sessions.ts';
import { AppError } from '@hearth/core/log/errors.ts';
import { recordAttempt } from './rateLimitAttempts.ts';
import type { Deps } from '../../deps/deps.ts';
import { getAddress, getNetwork } from '../requests/clientAddress.ts';
import { getRequestId } from '../requests/requestLog.ts';
import { clearEndedSession, getSessionCookie } from './sessionCookie.ts';

/**
 * Authenticates a request as required by the route's `auth`. Routes of signed links check the signature themselves. Each
 * request checks in the database that the session is active, so that a logout takes effect at once on every replica.
 * @throws AppError UNAUTHORIZED, or TOO_MANY_ATTEMPTS for the administrator
 */
export const authenticate = async (
  deps: Deps,
  auth: RouteAuth,
  req: Request,
  res: Response,
): Promise<SessionUser | undefined> => {
  switch (auth) {
    case 'none':
    case 'link':
      return undefined;
    case 'bearer':
      return requireSession(deps, req);
    case 'session':
      return (
        (await findCookieSession(deps, req)) ?? requireSession(deps, req).catch(clearEndedSession(deps.config, req))
      );
    case 'basic':
      if (await isAdministrator(deps, req)) return undefined;
      res.set('WWW-Authenticate', 'Basic realm="Hearth administration", charset="UTF-8"');
      throw new AppError('UNAUTHORIZED');
  }
};

/** Returns the token of `Authorization: Bearer …`. */
export const getBearerToken = (req: Request): string | undefined =>
  /^Bearer ([\w.~+/=-]+)$/i.exec(req.headers.authorization ?? '')?.[1];

/** Returns the session of the refresh token in a browser's cookie. */
const findCookieSession = async ({ db }: Deps, req: Request): Promise<SessionUser | undefined> => {
  const token = getSessionCookie(req);
  return token === undefined ? undefined : findUserOfRefreshToken(db, token);
};

/** Returns the session's user. `features` excludes those that the server has switched off. */
const requireSession = async ({ tokens, db, config }: Deps, req: Request): Promise<SessionUser> => {
  const token = getBearerToken(req);
  const sessionId = token === undefined ? undefined : tokens.verify(token)?.sessionId;
  const user = sessionId === undefined ? undefined : await findSessionUser(db, sessionId);
  if (user === undefined) throw new AppError('UNAUTHORIZED');
  const off = Object.fromEntries(config.featuresOff.map((feature) => [feature, false]));
  return { ...user, features: { ...user.features, ...off } };
};

/**
 * Returns true for the administrator's credentials. A request without credentials does not count as an attempt:
 * browsers send one first.
 */
const isAdministrator = async (deps: Deps, req: Request): Promise<boolean> => {
  const { config } = deps;
  const encoded = /^Basic ([\w+/=-]+)$/i.exec(req.headers.authorization ?? '')?.[1] ?? '';
  const given = Buffer.from(encoded, 'base64');
  const [, username] = /^([^:]*):/.exec(given.toString()) ?? [];
  if (username === undefined) return false;
  const isRight = isSameSecret(given, `${config.adminUsername}:${config.adminPassword}`);
  const where = { network: getNetwork(req), address: getAddress(req), requestId: getRequestId(req) };
  await recordAttempt(deps, { kind: 'administrator', username, ...where }, isRight);
  return isRight;
};

/** Compares in constant time, by hashes of equal length. */
const isSameSecret = (given: Buffer, expected: string): boolean =>
  timingSafeEqual(createHash('sha256').update(given).digest(), createHash('sha256').update(expected).digest());
