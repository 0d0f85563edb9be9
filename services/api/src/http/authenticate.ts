import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request, Response } from 'express';
import type { RouteAuth } from '@hearth/contract/defineRoute.ts';
import { findSessionUser, type SessionUser } from '@hearth/core/db/accounts/sessions.ts';
import { findUserOfRefreshToken } from '@hearth/core/db/accounts/sessionOfToken.ts';
import { AppError } from '@hearth/core/errors.ts';
import { recordAttempt } from '../actions/rateLimitAttempts.ts';
import type { Deps } from '../deps/deps.ts';
import { addressOf, networkOf } from './clientAddress.ts';
import { requestIdOf } from './requestLog.ts';
import { forgetWhereOver, sessionCookieOf } from './sessionCookie.ts';

/**
 * Lets a request through or not, by the route's `auth`; links are checked by their own route. Whether a session still
 * lasts is asked of the database each time, so that a logout counts at once on every replica.
 * @throws AppError UNAUTHORIZED, and TOO_MANY_ATTEMPTS for the administrator
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
      return (await findCookieSession(deps, req)) ?? requireSession(deps, req).catch(forgetWhereOver(deps.config, req));
    case 'basic':
      if (await isAdministrator(deps, req)) return undefined;
      res.set('WWW-Authenticate', 'Basic realm="Hearth administration", charset="UTF-8"');
      throw new AppError('UNAUTHORIZED');
  }
};

/** The token of `Authorization: Bearer …`. */
export const bearerTokenOf = (req: Request): string | undefined =>
  /^Bearer ([\w.~+/=-]+)$/i.exec(req.headers.authorization ?? '')?.[1];

/** The session that a browser's cookie leads to. */
const findCookieSession = async ({ db }: Deps, req: Request): Promise<SessionUser | undefined> => {
  const token = sessionCookieOf(req);
  return token === undefined ? undefined : findUserOfRefreshToken(db, token);
};

/** The user of a session, with what is left of the features after the server's own switches. */
const requireSession = async ({ tokens, db, config }: Deps, req: Request): Promise<SessionUser> => {
  const token = bearerTokenOf(req);
  const sessionId = token === undefined ? undefined : tokens.verify(token)?.sessionId;
  const user = sessionId === undefined ? undefined : await findSessionUser(db, sessionId);
  if (user === undefined) throw new AppError('UNAUTHORIZED');
  const off = Object.fromEntries(config.featuresOff.map((feature) => [feature, false]));
  return { ...user, features: { ...user.features, ...off } };
};

/** A request that names nobody is no attempt: browsers begin with one. */
const isAdministrator = async (deps: Deps, req: Request): Promise<boolean> => {
  const { config } = deps;
  const encoded = /^Basic ([\w+/=-]+)$/i.exec(req.headers.authorization ?? '')?.[1] ?? '';
  const given = Buffer.from(encoded, 'base64');
  const [, username] = /^([^:]*):/.exec(given.toString()) ?? [];
  if (username === undefined) return false;
  const isRight = isSameSecret(given, `${config.adminUsername}:${config.adminPassword}`);
  const where = { network: networkOf(req), address: addressOf(req), requestId: requestIdOf(req) };
  await recordAttempt(deps, { kind: 'administrator', username, ...where }, isRight);
  return isRight;
};

/** Compares in the same time whatever is given: hashes have one length. */
const isSameSecret = (given: Buffer, expected: string): boolean =>
  timingSafeEqual(createHash('sha256').update(given).digest(), createHash('sha256').update(expected).digest());
