import type { LinkState } from './linkState.ts';

/** Milliseconds that a replica may use a cached state. A change must take effect everywhere within two seconds. */
export const maxStateAgeMs = 1_500;

/** Milliseconds after which a state that is used is read again, while links are still checked against the cached one. */
export const refreshAfterMs = 500;

/** Users whose states are kept; the one not read for longest goes first. */
const maxUsers = 1_000;

/** The states of users' links, cached per process. */
export interface LinkStates {
  /**
   * Checks a condition on the state of a user's links. True may come from a cached state, at most `maxStateAgeMs` old, without waiting for the database.
   * False always comes from a state read after the call, so that links that another replica signed a moment ago work.
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
 * [Note: Link states] Each replica reads the state of a user at most twice per second, and only while links of the user are used. It reads in the
 * background: only the first link of a user, and one that is not valid by the cached state, waits for the database. It polls, because
 * a transaction pooler passes no notifications (LISTEN) on. After 1.5 seconds without an answer from the database, links are refused with 503:
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
  const refreshing = new Set<string>();
  /** Reads a state in the background. A failed read is repeated by the next check, and reported once the state is too old. */
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
      const known = kept.get(userId);
      const ageMs = known === undefined ? Infinity : now() - known.readAt;
      if (known === undefined || ageMs >= maxStateAgeMs || !holds(known.state)) return holds(await read(userId));
      if (ageMs >= refreshAfterMs) refresh(userId);
      return true;
    },
    expire: (userId) => {
      const known = kept.get(userId);
      if (known !== undefined) kept.set(userId, { ...known, readAt: Number.NEGATIVE_INFINITY });
    },
  };
};

/**
 * Merges lookups of one id. Callers that ask while a lookup runs share the next one, which begins after they asked, so that no caller gets an
 * older answer. If the running lookup fails, they get its error.
 */
export const shareLookups = <Answer>(look: (id: string) => Promise<Answer>): ((id: string) => Promise<Answer>) => {
  const running = new Map<string, Promise<Answer>>();
  const waiting = new Map<string, Promise<Answer>>();
  const begin = (id: string): Promise<Answer> => {
    const answer = look(id).finally(() => running.get(id) === answer && running.delete(id));
    running.set(id, answer);
    return answer;
  };
  return (id) => {
    const current = running.get(id);
    if (current === undefined) return begin(id);
    const shared = waiting.get(id) ?? current.finally(() => waiting.delete(id)).then(() => begin(id));
    waiting.set(id, shared);
    return shared;
  };
};
