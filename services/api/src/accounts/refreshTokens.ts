import { createHash, createHmac, randomBytes } from 'node:crypto';

/**
 * [Note: Refresh tokens] A refresh token is two random secrets in one text. The first names the session's family of tokens
 * and stays the same; the second changes with each refresh. The database has the hashes of both.
 *
 * - Whoever has the family's secret holds or once held a token of this session. So where the second secret is neither the present
 *   one nor, for 10 seconds, the previous one, an old token is being used again: one of its two holders is a thief, and the session
 *   ends. Any other text is nobody's token and ends nothing.
 * - A successor is an HMAC of its predecessor under a random salt, which the session's row keeps until the next refresh. So
 *   everybody who refreshes with one token, at the same moment or in the 10 seconds after it, is given the same successor, on
 *   every replica, and can go on with it; no token can be made from the row alone; and no key of the server is needed, so that
 *   changing one ends no session.
 */
export interface RefreshToken {
  readonly text: string;
  readonly familyHash: Buffer;
  readonly hash: Buffer;
}

/** Bytes of each of the two secrets. */
const secretBytes = 32;

/** The first token of a new family. */
export const createRefreshToken = (): RefreshToken => fromBytes(randomBytes(2 * secretBytes));

/** Reads a token as a client sent it; undefined for what cannot be one of ours. */
export const parseRefreshToken = (text: string): RefreshToken | undefined => {
  const bytes = Buffer.from(text, 'base64url');
  // Written back, so that one token has one text: Buffer reads past what is not base64url.
  return bytes.length === 2 * secretBytes && bytes.toString('base64url') === text ? fromBytes(bytes) : undefined;
};

/** The token that follows `token` in its family; the same one for the same salt. */
export const succeedRefreshToken = (token: RefreshToken, salt: Buffer): RefreshToken => {
  const bytes = Buffer.from(token.text, 'base64url');
  const successor = createHmac('sha256', salt).update(bytes).digest();
  return fromBytes(Buffer.concat([bytes.subarray(0, secretBytes), successor]));
};

const fromBytes = (bytes: Buffer): RefreshToken => ({
  text: bytes.toString('base64url'),
  familyHash: createHash('sha256').update(bytes.subarray(0, secretBytes)).digest(),
  hash: createHash('sha256').update(bytes.subarray(secretBytes)).digest(),
});
