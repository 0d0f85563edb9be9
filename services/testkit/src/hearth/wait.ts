import { setTimeout as sleep } from 'node:timers/promises';
import { componentsIn } from '@hearth/core/config/pipeline.ts';
import type { Query } from '../run/actsLog.ts';

/** How to wait. */
export interface WaitOptions {
  /** Milliseconds after which waiting fails. */
  readonly patienceMs?: number;
  /** Milliseconds between two looks. */
  readonly everyMs?: number;
  /** Once it is aborted, waiting fails at the next look. */
  readonly signal?: AbortSignal;
}

/** Resolves with what is found, as soon as it is neither false nor undefined. @throws after eight minutes, unless told otherwise */
export const until = async <Found>(
  what: string,
  find: () => Promise<Found | false | undefined>,
  { patienceMs = 480_000, everyMs = 100, signal }: WaitOptions = {},
): Promise<Found> => {
  for (const giveUpAt = performance.now() + patienceMs; ; await sleep(everyMs, undefined, { signal })) {
    const found = await find();
    if (found !== false && found !== undefined) return found;
    if (performance.now() > giveUpAt) throw new Error(`not within ${patienceMs / 1_000} s: ${what}`);
  }
};

/** Resolves with the first state that is the end, however long it takes. @throws where the state stays the same for eight minutes, unless told otherwise */
export const untilEnd = async <State extends object>(
  look: () => Promise<State | undefined>,
  isEnd: (state: State) => boolean,
  { patienceMs = 480_000, everyMs = 250, signal }: WaitOptions = {},
): Promise<State> => {
  let last = '';
  for (let movedAt = performance.now(); ; await sleep(everyMs, undefined, { signal })) {
    const state = await look();
    if (state !== undefined && isEnd(state)) return state;
    const now = JSON.stringify(state) ?? '';
    if (now !== last) movedAt = performance.now();
    last = now;
    if (performance.now() - movedAt > patienceMs) {
      throw new Error(`nothing has moved for ${patienceMs / 1_000} s: ${now}`);
    }
  }
};

/** How far all runs of all items have come. */
export interface Progress {
  readonly undone: number;
  /** Without those that wait for models, which installations of tests do not have. */
  readonly blocked: number;
  /** Undone runs of the components that show an item. */
  readonly unshown: number;
  readonly attempts: number;
  readonly finishedAt: Date;
}

/** The components that show an item with its place: those of the pool `media`, in SQL. */
const shownBy = componentsIn('media')
  .map(({ name }) => `'${name}'`)
  .join();

/** Resolves when the runs of all items are done, by asking the database, which costs less than the API. @throws when nothing moves any more, with the undone runs */
export const untilProcessed = async (
  query: Query,
  patience?: WaitOptions,
  isEnd: (progress: Progress) => boolean = ({ undone }) => undone === 0,
): Promise<Progress> => {
  const look = async (): Promise<Progress | undefined> =>
    (
      await query<Progress>(
        `select count(*) filter (where is_undone)::int as undone, coalesce(sum(attempts), 0)::int as attempts,
          count(*) filter (where state = 'BLOCKED' and reason <> 'NO_MODEL')::int as blocked, max(finished_at) as "finishedAt",
          count(*) filter (where is_undone and component in (${shownBy}))::int as unshown
        from (select *, state in ('PENDING', 'RUNNING') as is_undone from component_runs) as runs`,
        // The database may be away just now.
      ).catch(() => [])
    )[0];
  try {
    return await untilEnd(look, isEnd, patience);
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${await describeUndone(query)}`, { cause: error });
  }
};

/** Resolves when no run of any item is left to do, what is blocked included; the longest back-off is half of the patience. */
export const untilReady = (query: Query): Promise<Progress> =>
  untilProcessed(query, {}, ({ undone, blocked }) => undone + blocked === 0);

/** The undone runs of up to twenty items. */
const describeUndone = async (query: Query): Promise<string> => {
  const runs = await query(
    `select media_item_id, component, state, attempts, reason, lease_until, next_attempt_at, now() as now
    from component_runs where state not in ('DONE', 'FAILED', 'SKIPPED') order by media_item_id, component limit 40`,
  );
  return runs.map((row) => JSON.stringify(row)).join('\n');
};
