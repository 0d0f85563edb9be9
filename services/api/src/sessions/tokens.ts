import jwt from 'jsonwebtoken';
import { createSigningKeys, type SigningSecrets } from '../signing/signingKeys.ts';

const algorithm = 'HS256';

const accessTokenSeconds = 15 * 60;

/** Makes and checks access tokens; whether a token's session still lasts is for the database to say. */
export interface Tokens {
  issue(session: { readonly sessionId: string; readonly userId: string }): string;
  /** The id of the session that a token names; undefined unless one of our keys signed the token and it has not expired. */
  verify(token: string): string | undefined;
}

/** Access tokens are JWTs (RFC 7519) signed with HMAC-SHA-256; `kid` names the key. */
export const createTokens = (secrets: SigningSecrets): Tokens => {
  const keys = createSigningKeys(secrets);
  return {
    issue: ({ sessionId, userId }) =>
      jwt.sign({ sid: sessionId }, keys.current, {
        algorithm,
        keyid: keys.currentId,
        subject: userId,
        expiresIn: accessTokenSeconds,
      }),
    verify: (token) => {
      try {
        const key = keys.find(jwt.decode(token, { complete: true })?.header.kid ?? '');
        if (key === undefined) return undefined;
        const payload = jwt.verify(token, key, { algorithms: [algorithm] });
        if (typeof payload === 'string' || payload.exp === undefined || payload.sub === undefined) return undefined;
        return typeof payload['sid'] === 'string' ? payload['sid'] : undefined;
      } catch {
        return undefined;
      }
    },
  };
};

/** When a token that has been verified expires. */
export const expiryOf = (token: string): Date => new Date((jwt.decode(token, { json: true })?.exp ?? 0) * 1_000);
