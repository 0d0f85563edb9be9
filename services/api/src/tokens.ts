import { createHash, randomBytes } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';

/** Seconds for which an access token is good. */
export const accessTokenSeconds = 15 * 60;

/** Days for which a session lasts. */
export const refreshTokenDays = 30;

/** Makes and checks access tokens; whether their session still lasts is the database's to say. */
export interface Tokens {
  issue(session: { readonly sessionId: string; readonly userId: string }): Promise<string>;
  /** The id of the session that a token names; undefined unless it is ours, whole and in time. */
  verify(token: string): Promise<string | undefined>;
}

/** Access tokens as JWTs (RFC 7519) signed with HMAC-SHA-256; `kid` names the key, for the day it is changed. */
export const createTokens = (secret: string): Tokens => {
  const key = Buffer.from(secret);
  const kid = keyId(secret);
  return {
    issue: ({ sessionId, userId }) =>
      new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid })
        .setSubject(userId)
        .setIssuedAt()
        .setExpirationTime(`${accessTokenSeconds}s`)
        .sign(key),
    verify: async (token) => {
      try {
        const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'], requiredClaims: ['exp', 'sub'] });
        return typeof payload['sid'] === 'string' ? payload['sid'] : undefined;
      } catch {
        return undefined;
      }
    },
  };
};

/** A refresh token: 256 random bits, of which only the hash is kept. */
export const createRefreshToken = (): { readonly token: string; readonly hash: Buffer } => {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: createHash('sha256').update(token).digest() };
};

/** Names a key without giving it away: eight characters of the hash of it. */
export const keyId = (secret: string): string =>
  createHash('sha256').update(`hearth key id ${secret}`).digest('base64url').slice(0, 8);
