import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** How long a code works, in milliseconds. */
const lifetimeMs = 24 * 60 * 60 * 1_000;

/** A code that lets the first user sign in once without a password. Only its hash is kept, and only in memory. */
export interface OneTimeCode {
  /** Makes a code of 256 random bits for a user. The code before it no longer works. */
  issue(userId: string): string;
  /**
   * Runs `signIn` for the user of the code, and uses the code up; undefined if the code is wrong, used or expired. If `signIn` throws, the code
   * still works: nobody must be locked out because the database was away for a moment.
   */
  redeem<Result>(code: string, signIn: (userId: string) => Promise<Result | undefined>): Promise<Result | undefined>;
  /** Makes the code worthless: somebody has signed in. */
  revoke(): void;
}

interface Held {
  readonly hash: Buffer;
  readonly userId: string;
  readonly expiresAt: number;
  /** `taken` while one request signs in; to other requests the code is then used. */
  state: 'open' | 'taken' | 'over';
}

/** @param now milliseconds as of `Date.now()` */
export const createOneTimeCode = (now: () => number = Date.now): OneTimeCode => {
  let held: Held | undefined;
  return {
    issue: (userId) => {
      const code = randomBytes(32).toString('base64url');
      held = { hash: hashOf(code), userId, expiresAt: now() + lifetimeMs, state: 'open' };
      return code;
    },
    redeem: async (code, signIn) => {
      const taken = held;
      if (taken === undefined || !timingSafeEqual(taken.hash, hashOf(code))) return undefined;
      if (taken.state !== 'open' || taken.expiresAt <= now()) return undefined;
      taken.state = 'taken';
      try {
        const result = await signIn(taken.userId);
        taken.state = 'over';
        return result;
      } catch (error) {
        if (isTaken(taken)) taken.state = 'open';
        throw error;
      }
    },
    revoke: () => {
      if (held !== undefined) held.state = 'over';
    },
  };
};

/** Reads the state anew after a wait, because somebody may have signed in with a password meanwhile. */
const isTaken = ({ state }: Held): boolean => state === 'taken';

const hashOf = (code: string): Buffer => createHash('sha256').update(code).digest();
