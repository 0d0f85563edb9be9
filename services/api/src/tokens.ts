import { createHash } from 'node:crypto';
import { decodeJwt, jwtVerify, SignJWT } from 'jose';

/** Seconds for which an access token is good. */
const accessTokenSeconds = 15 * 60;

/** How many tokens are not checked again: a check takes a thread and as long as a short query. */
const rememberedTokens = 1_000;

/** What a token says whose signature was right. */
interface Verified {
  readonly sessionId: string;
  readonly endsAtMs: number;
}

/** Makes and checks access tokens; whether their session still lasts is the database's to say. */
export interface Tokens {
  issue(session: { readonly sessionId: string; readonly userId: string }): Promise<string>;
  /** The id of the session that a token names; undefined unless it is ours, whole and in time. */
  verify(token: string): Promise<string | undefined>;
}

/**
 * Access tokens as JWTs (RFC 7519) signed with HMAC-SHA-256. `kid` names the key: those signed with a `previous` one are taken until
 * they expire, so that a key can be changed without a user noticing.
 */
export const createTokens = (secret: string, previous: readonly string[]): Tokens => {
  const kid = keyId(secret);
  const keys = new Map([...previous, secret].map((each) => [keyId(each), Buffer.from(each)]));
  const findKey = (header: { readonly kid?: string }): Buffer => {
    const key = keys.get(header.kid ?? '');
    if (key === undefined) throw new Error('a key that is none of ours');
    return key;
  };
  const verified = new Map<string, Verified>();
  return {
    issue: ({ sessionId, userId }) =>
      new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid })
        .setSubject(userId)
        .setIssuedAt()
        .setExpirationTime(`${accessTokenSeconds}s`)
        .sign(findKey({ kid })),
    verify: async (token) => {
      const known = verified.get(token);
      if (known !== undefined) return Date.now() < known.endsAtMs ? known.sessionId : undefined;
      try {
        const { payload } = await jwtVerify(token, findKey, { algorithms: ['HS256'], requiredClaims: ['exp', 'sub'] });
        const { sid: sessionId, exp } = payload;
        if (typeof sessionId !== 'string' || exp === undefined) return undefined;
        if (verified.size >= rememberedTokens) verified.delete(verified.keys().next().value!);
        verified.set(token, { sessionId, endsAtMs: exp * 1_000 });
        return sessionId;
      } catch {
        return undefined;
      }
    },
  };
};

/** When a token, which has been verified, ends. */
export const expiryOf = (token: string): Date => new Date((decodeJwt(token).exp ?? 0) * 1_000);

/** Names a key without giving it away: eight characters of the hash of it. */
export const keyId = (secret: string): string =>
  createHash('sha256').update(`hearth key id ${secret}`).digest('base64url').slice(0, 8);
