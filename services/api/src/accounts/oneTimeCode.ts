import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const lifetimeMs = 24 * 60 * 60 * 1_000;

/** A code that signs the first user in once without a password. Only its hash is kept, in memory. */
export interface OneTimeCode {
  /** Issues a code of 256 random bits. Invalidates the previous one. */
  issue(userId: string): string;
  /**
   * Runs `signIn` for the user of the code and uses up the code, also if `signIn` returns undefined. Returns undefined if
   * the code is wrong, used or expired. If `signIn` throws, the code stays valid: a short outage of the database must
   * not lock the user out.
   */
  redeem<Result>(code: string, signIn: (userId: string) => Promise<Result | undefined>): Promise<Result | undefined>;
  /** Invalidates the code after another sign-in. Does not stop a `redeem` in progress. */
  revoke(): void;
}

interface IssuedCode {
  readonly hash: Buffer;
  readonly userId: string;
  readonly expiresAt: number;
  /** `taken` while one request signs in. Other requests treat the code as used. */
  state: 'open' | 'taken' | 'invalid';
}

/** @param now current time in ms, as of `Date.now()` */
export const createOneTimeCode = (now: () => number = Date.now): OneTimeCode => {
  let issued: IssuedCode | undefined;
  return {
    issue: (userId) => {
      const code = randomBytes(32).toString('base64url');
      issued = { hash: hashCode(code), userId, expiresAt: now() + lifetimeMs, state: 'open' };
      return code;
    },
    redeem: async (code, signIn) => {
      const redeemed = issued;
      if (redeemed === undefined || !timingSafeEqual(redeemed.hash, hashCode(code))) return undefined;
      if (redeemed.state !== 'open' || redeemed.expiresAt <= now()) return undefined;
      redeemed.state = 'taken';
      try {
        const result = await signIn(redeemed.userId);
        redeemed.state = 'invalid';
        return result;
      } catch (error) {
        if (isTaken(redeemed)) redeemed.state = 'open';
        throw error;
      }
    },
    revoke: () => {
      if (issued !== undefined) issued.state = 'invalid';
    },
  };
};

/** Reads the state again after a wait: a sign-in with a password may have changed it meanwhile. */
const isTaken = ({ state }: IssuedCode): boolean => state === 'taken';

const hashCode = (code: string): Buffer => createHash('sha256').update(code).digest();
