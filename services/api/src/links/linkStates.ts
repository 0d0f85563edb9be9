import type { LinkState } from '@hearth/core/db/accounts/linkState.ts';
import { shareLookups } from '../limits/shareLookups.ts';

/** Milliseconds that a replica may use a cached state. A change must take effect everywhere within two seconds. */
export const maxStateAgeMs = 1_000;

/** Users whose states are kept; the one not read for longest goes first. */
const maxUsers = 1_000;

/** The states of users' links, cached per process. */
export interface LinkStates {
  /**
   * Checks a condition on the state of a user's links. True may come from a cached state, at most `maxStateAgeMs` old. False always comes from a state
   * read after the call, so that links that another replica signed a moment ago work.
   * @throws the error of the database if no state is fresh enough: links then fail closed
   */
  check(userId: string, condition: (state: LinkState) => boolean): Promise<boolean>;
  /** Makes the next check read the state again: this process has changed something of the user's. */
  expire(userId: string): void;
}

interface KeptState {
  readonly state: LinkState | undefined;
  /** When its read began, in ms of `now`. */
  readonly readAt: number;
}

/**
 * [Note: Link states] Each replica reads the state of a user at most once per second, and only while links of the user are used. It polls, because
 * a transaction pooler passes no notifications (LISTEN) on. After a second without an answer from the database, links are refused with 503:
 * a replica that is cut off cannot know whether they still hold.
 * @param find reads a state; given the earlier one, if there is one
 * @param now a monotonic clock, in ms
 */
export const createLinkStates = (
  find: (userId: string, known: LinkState | undefined) => Promise<LinkState | undefined>,
  now: () => number = () => performance.now(),
): LinkStates => {
  const kept = new Map<string, KeptState>();
  const keep = (userId: string, state: KeptState): void => {
    // Deleted first, so that the map is in the order of the reads.
    kept.delete(userId);
    kept.set(userId, state);
    const [oldest] = kept.keys();
    if (kept.size > maxUsers && oldest !== undefined) kept.delete(oldest);
  };
  const read = shareLookups(async (userId) => {
    const readAt = now();
    const state = await find(userId, kept.get(userId)?.state);
    keep(userId, { state, readAt });
    return state;
  });
  return {
    check: async (userId, condition) => {
      const holds = (state: LinkState | undefined): boolean => state !== undefined && condition(state);
      const known = kept.get(userId);
      const isFresh = known !== undefined && now() - known.readAt < maxStateAgeMs;
      return (isFresh && holds(known.state)) || holds(await read(userId));
    },
    expire: (userId) => {
      const known = kept.get(userId);
      if (known !== undefined) kept.set(userId, { ...known, readAt: Number.NEGATIVE_INFINITY });
    },
  };
};
