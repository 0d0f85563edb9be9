import jwt from 'jsonwebtoken';
import { createSigningKeys, type SigningSecrets } from '../links/signingKeys.ts';

const algorithm = 'HS256';

const accessTokenSeconds = 15 * 60;

export interface VerifiedToken {
  readonly sessionId: string;
  readonly expiresAt: Date;
}

/** Issues and verifies access tokens. Does not check in the database that the session is still active. */
export interface Tokens {
  issue(session: { readonly sessionId: string; readonly userId: string }): string;
  /** Returns undefined if the token has expired, or was not signed by the current or a previous key. */
  verify(token: string): VerifiedToken | undefined;
}

/** Access tokens are JWTs (RFC 7519) signed with HMAC-SHA-256. `kid` names the key. */
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
        if (typeof payload['sid'] !== 'string') return undefined;
        return { sessionId: payload['sid'], expiresAt: new Date(payload.exp * 1_000) };
      } catch {
        return undefined;
      }
    },
  };
};
