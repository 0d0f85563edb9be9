import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request, Response } from 'express';
import type { RouteAuth } from '@hearth/contract/defineRoute.ts';
import { findSessionUser, type SessionUser } from '@hearth/core/db/sessions.ts';
import { AppError } from '@hearth/core/errors.ts';
import type { Deps } from '../deps.ts';

/**
 * Lets a request through or not, by the route's `auth`; links are checked by their own route. Whether a session still
 * lasts is asked of the database each time, so that a logout counts at once on every replica.
 * @throws AppError UNAUTHORIZED
 */
export const authenticate = async (
  deps: Deps,
  auth: RouteAuth,
  req: Request,
  res: Response,
): Promise<SessionUser | undefined> => {
  if (auth === 'none' || auth === 'link') return undefined;
  const isBearer = auth === 'bearer';
  const user = isBearer ? await findBearer(deps, req) : undefined;
  if (isBearer ? user !== undefined : isAdministrator(deps, req)) return user;
  if (!isBearer) res.set('WWW-Authenticate', 'Basic realm="Hearth administration", charset="UTF-8"');
  throw new AppError('UNAUTHORIZED');
};

const findBearer = async ({ tokens, db }: Deps, req: Request): Promise<SessionUser | undefined> => {
  const token = /^Bearer ([\w.~+/=-]+)$/i.exec(req.headers.authorization ?? '')?.[1];
  const sessionId = token === undefined ? undefined : await tokens.verify(token);
  return sessionId === undefined ? undefined : findSessionUser(db, sessionId);
};

const isAdministrator = ({ config }: Deps, req: Request): boolean => {
  const encoded = /^Basic ([\w+/=-]+)$/i.exec(req.headers.authorization ?? '')?.[1] ?? '';
  const given = Buffer.from(encoded, 'base64').toString('utf8');
  return isSameSecret(given, `${config.adminUsername}:${config.adminPassword}`);
};

/** Compares in the same time whatever is given: hashes have one length. */
const isSameSecret = (given: string, expected: string): boolean =>
  timingSafeEqual(createHash('sha256').update(given).digest(), createHash('sha256').update(expected).digest());
