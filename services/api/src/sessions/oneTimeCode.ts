import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** How long a code works, in milliseconds. */
const lifetimeMs = 24 * 60 * 60 * 1_000;

/** The one code of this process by which its first user may sign in without a password, once. Only its hash is kept, and in memory alone. */
export interface OneTimeCode {
  /** Makes the code for a user, 256 bits of chance as text; one that was made before is worth nothing from now on. */
  issue(userId: string): string;
  /**
   * Runs `signIn` for the user whom the code is for, and uses it up; undefined where it is none, was used or has expired. Where `signIn` throws,
   * the code can be tried again: whoever has it must not be locked out because the database was away for a moment.
   */
  redeem<Result>(code: string, signIn: (userId: string) => Promise<Result | undefined>): Promise<Result | undefined>;
  /** Makes the code worthless: somebody has signed in. */
  revoke(): void;
}

interface Held {
  readonly hash: Buffer;
  readonly userId: string;
  readonly expiresAt: number;
  /** While one request signs in by it, another one finds it used. */
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

/** Asked after a wait, in which somebody may have signed in by a password. */
const isTaken = ({ state }: Held): boolean => state === 'taken';

const hashOf = (code: string): Buffer => createHash('sha256').update(code).digest();
