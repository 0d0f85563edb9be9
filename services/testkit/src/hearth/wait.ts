import { setTimeout as sleep } from 'node:timers/promises';
import { componentsIn } from '@hearth/core/config/pipeline.ts';
import type { Query } from '../run/actsLog.ts';

export interface WaitOptions {
  /** Timeout in ms. */
  readonly timeoutMs?: number;
  /** Polling interval in ms. */
  readonly everyMs?: number;
  /** Aborting it fails the wait at the next check. */
  readonly signal?: AbortSignal;
}

/**
 * Polls `find` until it returns a value other than false and undefined, and resolves with the value.
 * @throws Error after a timeout, by default eight minutes
 */
export const waitFor = async <Found>(
  description: string,
  find: () => Promise<Found | false | undefined>,
  { timeoutMs = 480_000, everyMs = 100, signal }: WaitOptions = {},
): Promise<Found> => {
  for (const giveUpAt = performance.now() + timeoutMs; ; await sleep(everyMs, undefined, { signal })) {
    const found = await find();
    if (found !== false && found !== undefined) return found;
    if (performance.now() > giveUpAt) throw new Error(`not within ${timeoutMs / 1_000} s: ${description}`);
  }
};

/**
 * Polls the state until `isEnd` is true, and resolves with that state. The total time is not limited.
 * @throws Error if the state does not change for `timeoutMs`, by default eight minutes
 */
export const waitForEnd = async <State extends object>(
  readState: () => Promise<State | undefined>,
  isEnd: (state: State) => boolean,
  { timeoutMs = 480_000, everyMs = 250, signal }: WaitOptions = {},
): Promise<State> => {
  let previous = '';
  for (let changedAt = performance.now(); ; await sleep(everyMs, undefined, { signal })) {
    const state = await readState();
    if (state !== undefined && isEnd(state)) return state;
    const current = JSON.stringify(state) ?? '';
    if (current !== previous) changedAt = performance.now();
    previous = current;
    if (performance.now() - changedAt > timeoutMs) {
      throw new Error(`no progress for ${timeoutMs / 1_000} s: ${current}`);
    }
  }
};

/** Progress of all runs of all items. */
export interface Progress {
  /** Pending and running runs. */
  readonly undone: number;
  /** Excludes runs that wait for models, which test installations do not have. */
  readonly blocked: number;
  /** Undone runs of the components that are required to show an item. */
  readonly unshown: number;
  readonly attempts: number;
  readonly finishedAt: Date;
}

/** Components of the pool `media` as an SQL list. They are required to show an item with its place. */
const requiredComponents = componentsIn('media')
  .map(({ name }) => `'${name}'`)
  .join();

/**
 * Resolves when the runs of all items are done. Queries the database, which is faster than the API.
 * @throws Error with the undone runs when there is no more progress
 */
export const waitUntilProcessed = async (
  query: Query,
  options?: WaitOptions,
  isEnd: (progress: Progress) => boolean = ({ undone }) => undone === 0,
): Promise<Progress> => {
  const readState = async (): Promise<Progress | undefined> =>
    (
      await query<Progress>(
        `select count(*) filter (where is_undone)::int as undone, coalesce(sum(attempts), 0)::int as attempts,
          count(*) filter (where state = 'BLOCKED' and reason <> 'NO_MODEL')::int as blocked, max(finished_at) as "finishedAt",
          count(*) filter (where is_undone and component in (${requiredComponents}))::int as unshown
        from (select *, state in ('PENDING', 'RUNNING') as is_undone from component_runs) as runs`,
        // The database may be unavailable.
      ).catch(() => [])
    )[0];
  try {
    return await waitForEnd(readState, isEnd, options);
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${await describeUndone(query)}`, { cause: error });
  }
};

/** Resolves when all runs of all items are done, including blocked ones. The timeout covers every back-off: at most 90 s. */
export const waitUntilReady = (query: Query): Promise<Progress> =>
  waitUntilProcessed(query, {}, ({ undone, blocked }) => undone + blocked === 0);

/** Lists up to 40 runs that are not done, failed or skipped. */
const describeUndone = async (query: Query): Promise<string> => {
  const runs = await query(
    `select media_item_id, component, state, attempts, reason, lease_until, next_attempt_at, now() as now
    from component_runs where state not in ('DONE', 'FAILED', 'SKIPPED') order by media_item_id, component limit 40`,
  );
  return runs.map((row) => JSON.stringify(row)).join('\n');
};
