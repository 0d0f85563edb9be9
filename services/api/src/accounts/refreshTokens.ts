import { createHash, createHmac, randomBytes } from 'node:crypto';

/**
 * [Note: Refresh tokens] A refresh token is two random secrets in one text.
 *
 * The first secret names the token family of the session and never changes. The second changes with each refresh. The
 * database stores the hashes of both.
 *
 * - Reuse detection: a client that knows the family secret has or had a token of this session. If the second secret is
 *   neither the current one nor, for 10 seconds, the previous one, an old token is being reused. One of its two holders
 *   is a thief, so the session ends. Any other text matches no session and ends none.
 * - Successors: a new token is an HMAC of the old one with a random salt, stored in the session's row until the next
 *   refresh. So all requests that refresh with one token, at once or within 10 seconds, get the same successor on every
 *   replica. The row alone is not enough to create a token. No server key is involved, so changing a key ends no
 *   session.
 */
export interface RefreshToken {
  readonly text: string;
  readonly familyHash: Buffer;
  readonly hash: Buffer;
}

const secretBytes = 32;

/** Creates the first token of a new family. */
export const createRefreshToken = (): RefreshToken => fromBytes(randomBytes(2 * secretBytes));

/** Parses a token sent by a client. Returns undefined if malformed. */
export const parseRefreshToken = (text: string): RefreshToken | undefined => {
  const bytes = Buffer.from(text, 'base64url');
  // Accepts only the canonical encoding: Buffer ignores characters that are not base64url.
  return bytes.length === 2 * secretBytes && bytes.toString('base64url') === text ? fromBytes(bytes) : undefined;
};

/** Derives the next token of the family. Deterministic for a given salt. */
export const createSuccessorToken = (token: RefreshToken, salt: Buffer): RefreshToken => {
  const bytes = Buffer.from(token.text, 'base64url');
  const successor = createHmac('sha256', salt).update(bytes).digest();
  return fromBytes(Buffer.concat([bytes.subarray(0, secretBytes), successor]));
};

const fromBytes = (bytes: Buffer): RefreshToken => ({
  text: bytes.toString('base64url'),
  familyHash: createHash('sha256').update(bytes.subarray(0, secretBytes)).digest(),
  hash: createHash('sha256').update(bytes.subarray(secretBytes)).digest(),
});
