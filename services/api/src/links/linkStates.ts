import type { LinkState } from './linkState.ts';

/** Maximum age of a cached state, in ms. A change must take effect on all replicas within two seconds. */
export const maxStateAgeMs = 1_500;

/** Age after which a cached state in use is refreshed in the background, in ms. */
export const refreshAfterMs = 500;

/** Number of cached users. The least recently read is evicted. */
const maxUsers = 1_000;

/** Per-process cache of the states of users' links. */
export interface LinkStates {
  /**
   * Checks a condition on the state of a user's links. True may come from a cached state, at most `maxStateAgeMs` old.
   * False always comes from a state read after the call, so that links just signed by another replica work.
   * @throws the database error if no state is fresh enough, so that links fail closed
   */
  check(userId: string, condition: (state: LinkState) => boolean): Promise<boolean>;
  /** Forces the next check to read the state, after this process has changed it. */
  expire(userId: string): void;
}

interface CachedState {
  readonly state: LinkState | undefined;
  /** Start of the read, in ms of `now`. */
  readonly readAt: number;
}

/**
 * [Note: Link states] Each replica reads the state of a user at most twice per second, and only while links of the user
 * are used.
 *
 * It reads in the background. A request waits for the database only if the user is not cached or the link is invalid by
 * the cached state. It polls, because a transaction pooler does not pass on notifications (LISTEN). After 1.5 seconds
 * without a response from the database, links are rejected with 503: an isolated replica cannot know if they are still
 * valid.
 * @param find reads a state, given the previous one if there is one
 * @param now a monotonic clock, in ms
 */
export const createLinkStates = (
  find: (userId: string, known: LinkState | undefined) => Promise<LinkState | undefined>,
  now: () => number = () => performance.now(),
): LinkStates => {
  const cache = new Map<string, CachedState>();
  const store = (userId: string, state: CachedState): void => {
    // Deleted first, so that the map is ordered by read.
    cache.delete(userId);
    cache.set(userId, state);
    const [oldest] = cache.keys();
    if (cache.size > maxUsers && oldest !== undefined) cache.delete(oldest);
  };
  const read = shareLookups(async (userId) => {
    const readAt = now();
    const state = await find(userId, cache.get(userId)?.state);
    store(userId, { state, readAt });
    return state;
  });
  const refreshing = new Set<string>();
  /**
   * Refreshes a state in the background. A failed read is repeated by the next check, and reported once the state is
   * too old.
   */
  const refresh = (userId: string): void => {
    if (refreshing.has(userId)) return;
    refreshing.add(userId);
    void read(userId)
      .catch(() => undefined)
      .finally(() => refreshing.delete(userId));
  };
  return {
    check: async (userId, condition) => {
      const holds = (state: LinkState | undefined): boolean => state !== undefined && condition(state);
      const known = cache.get(userId);
      const ageMs = known === undefined ? Infinity : now() - known.readAt;
      if (known === undefined || ageMs >= maxStateAgeMs || !holds(known.state)) return holds(await read(userId));
      if (ageMs >= refreshAfterMs) refresh(userId);
      return true;
    },
    expire: (userId) => {
      const known = cache.get(userId);
      if (known !== undefined) cache.set(userId, { ...known, readAt: Number.NEGATIVE_INFINITY });
    },
  };
};

/**
 * Merges concurrent lookups of one id. Callers that arrive during a lookup share the next one, which starts after they
 * arrived, so that none gets an outdated result. If the running lookup fails, they get its error.
 */
export const shareLookups = <Result>(lookUp: (id: string) => Promise<Result>): ((id: string) => Promise<Result>) => {
  const running = new Map<string, Promise<Result>>();
  const waiting = new Map<string, Promise<Result>>();
  const start = (id: string): Promise<Result> => {
    const result = lookUp(id).finally(() => running.get(id) === result && running.delete(id));
    running.set(id, result);
    return result;
  };
  return (id) => {
    const current = running.get(id);
    if (current === undefined) return start(id);
    const shared = waiting.get(id) ?? current.finally(() => waiting.delete(id)).then(() => start(id));
    waiting.set(id, shared);
    return shared;
  };
};
