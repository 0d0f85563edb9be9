import { useQueryClient, type QueryClient, type QueryKey, type Query, type QueryFilters } from '@tanstack/react-query';
import { useEffect } from 'react';
import { watchLiveEvents, type LiveEvent } from '../../lib/api/liveEvents.ts';
import { listKeys } from '../../lib/changes/listKeys.ts';

/**
 * Keeps the cached queries of all pages up to date. The stream is open on every page: its end shows within seconds that the session was ended
 * elsewhere.
 */
export const LiveLibrary = () => {
  const client = useQueryClient();
  useEffect(() => {
    const refresh = makeLibraryRefresh(client);
    const ending = new AbortController();
    void watchLiveEvents(refresh.take, ending.signal);
    return () => {
      ending.abort();
      refresh.end();
    };
  }, [client]);
  return null;
};

/** Events that come within this time, in milliseconds, are answered together. */
const leastWaitMs = 500;

/**
 * What was asked for while the first stream was opened is asked for again after this time, in milliseconds: little happens in those moments, and the
 * first pictures are not to wait for it.
 */
const beginWaitMs = 5000;

/** A server that answers slowly is asked this often at least, in milliseconds. */
const mostWaitMs = 5000;

/** Asking takes at most this part of the time, so that an import of many thousand files does not keep the page busy. */
const askingPart = 1 / 4;

/** What is asked again while it is on the page, whichever item has changed. */
const followed: ReadonlySet<unknown> = new Set(['mediaItems', 'albums', 'processing']);

/** What counts items as well, but changes so little by one of them that it is asked again only when it is shown next. */
const counting: ReadonlySet<unknown> = new Set(['people', 'places', 'things', 'suggestions', 'duplicates']);

const gridKey = listKeys.timelineGrid();

/** What events have told since it was asked last. */
interface Changes {
  /** `2022-04` and `2022-04-03`. */
  readonly sections: ReadonlySet<string>;
  readonly ids: ReadonlySet<string>;
  readonly isAll: boolean;
}

/** Answers events of the library by asking anew for what they have changed. */
export interface LibraryRefresh {
  readonly take: (event: LiveEvent) => void;
  readonly end: () => void;
}

/** Asks a moment after the first event for all that has changed until then: of the timeline only the sections of what has changed, of items only those. */
export const makeLibraryRefresh = (client: QueryClient): LibraryRefresh => {
  let sections = new Set<string>();
  let ids = new Set<string>();
  let isAll = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let beginTimer: ReturnType<typeof setTimeout> | undefined;
  let waitMs = leastWaitMs;
  let hasEnded = false;

  const refresh = async (): Promise<void> => {
    const changed = { sections, ids, isAll };
    sections = new Set();
    ids = new Set();
    isAll = false;
    const begunMs = performance.now();
    for (const [key, grid] of client.getQueriesData<{ readonly ids: readonly string[] }>({ queryKey: gridKey })) {
      // An item may have been in another section before, or may be gone.
      if (grid?.ids.some((id) => changed.ids.has(id)) === true) changed.sections.add(String(key.at(-1)));
    }
    await Promise.all([
      refreshQueries(client, { predicate: ({ queryKey }) => isChanged(queryKey, changed) }),
      client.invalidateQueries({ predicate: ({ queryKey: [root] }) => counting.has(root), refetchType: 'none' }),
    ]);
    waitMs = Math.min(mostWaitMs, Math.max(leastWaitMs, (performance.now() - begunMs) / askingPart));
    timer = undefined;
    if (isAll || ids.size > 0) schedule();
  };
  const schedule = (): void => {
    if (!hasEnded) timer ??= setTimeout(() => void refresh(), waitMs);
  };

  const takeReset = (): void => {
    isAll = true;
    schedule();
  };

  return {
    take: (event) => {
      if (event.name === 'begin') beginTimer = setTimeout(takeReset, beginWaitMs);
      else if (event.name === 'reset') takeReset();
      else {
        ids.add(event.data.id);
        if (event.data.type !== 'removed')
          for (const length of [7, 10]) sections.add(event.data.localTime.slice(0, length));
        schedule();
      }
    },
    end: () => {
      hasEnded = true;
      clearTimeout(timer);
      clearTimeout(beginTimer);
    },
  };
};

function isChanged(key: QueryKey, { sections, ids, isAll }: Changes): boolean {
  if (key[0] === 'mediaItem') return isAll || ids.has(String(key[1]));
  if (gridKey.every((part, place) => key[place] === part)) return isAll || sections.has(String(key.at(-1)));
  return followed.has(key[0]);
}

/**
 * Sends the queries of the page again at once, and the others when they are shown next. A query whose first answer is still under way is sent
 * again after that answer: the server may have read it before the change, and TanStack would neither cancel the query nor send it twice.
 */
const refreshQueries = async (client: QueryClient, filters: QueryFilters): Promise<void> => {
  const queries = client.getQueryCache().findAll(filters);
  const answered = new Set(queries.filter(({ state }) => state.data !== undefined));
  await Promise.all([
    // All in one pass: each `invalidateQueries` looks at every query that is kept.
    client.invalidateQueries({ predicate: (query) => answered.has(query) }),
    ...queries.filter((query) => !answered.has(query)).map((query) => refreshOnceAnswered(client, query)),
  ]);
};

const refreshOnceAnswered = async (client: QueryClient, query: Query): Promise<void> => {
  await query.promise?.catch(() => undefined);
  await client.invalidateQueries({ predicate: (other) => other === query });
};
