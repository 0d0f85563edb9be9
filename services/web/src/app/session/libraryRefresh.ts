import { useQueryClient, type QueryClient, type QueryKey, type Query, type QueryFilters } from '@tanstack/react-query';
import { useEffect } from 'react';
import { watchLiveEvents, type LiveEvent } from '../../lib/api/liveEvents.ts';
import { listKeys } from '../../lib/changes/listKeys.ts';

/**
 * Keeps the cached queries of all pages up to date. The event stream is open on every page, so that a session ended
 * elsewhere is noticed within seconds.
 */
export const LiveLibrary = () => {
  const client = useQueryClient();
  useEffect(() => {
    const refresh = makeLibraryRefresh(client);
    const ending = new AbortController();
    void watchLiveEvents(refresh.handleEvent, ending.signal);
    return () => {
      ending.abort();
      refresh.end();
    };
  }, [client]);
  return null;
};

/** Minimum time to collect events before refetching, in ms. */
const minWaitMs = 500;

/**
 * Delay between the opening of the first stream and the refetch of everything loaded before it, in ms. Changes in that
 * time are rare, and the first pictures must not wait for the refetch.
 */
const firstRefetchDelayMs = 5000;

/** Maximum time to collect events, in ms, when the server is slow. */
const maxWaitMs = 5000;

/** Maximum share of time spent on refetching. Keeps the page responsive during an import of many thousand files. */
const maxRefetchShare = 1 / 4;

/** Roots of query keys to refetch while mounted, after a change of any item. */
const refreshedRoots: ReadonlySet<unknown> = new Set(['mediaItems', 'albums', 'processing']);

/** Roots of query keys whose results count items. A single change hardly affects them: they refetch when shown next. */
const countedLists: ReadonlySet<unknown> = new Set(['people', 'places', 'things', 'suggestions', 'duplicates']);

const gridKey = listKeys.timelineGrid();

/** Changes reported since the last refetch. */
interface Changes {
  /** Months (`2022-04`) and days (`2022-04-03`). */
  readonly sections: ReadonlySet<string>;
  readonly ids: ReadonlySet<string>;
  readonly isAll: boolean;
}

export interface LibraryRefresh {
  readonly handleEvent: (event: LiveEvent) => void;
  readonly end: () => void;
}

/** Refetches shortly after the first event: only the timeline sections and details of changed items, and all lists. */
export const makeLibraryRefresh = (client: QueryClient): LibraryRefresh => {
  let sections = new Set<string>();
  let ids = new Set<string>();
  let isAll = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let firstRefetchTimer: ReturnType<typeof setTimeout> | undefined;
  let waitMs = minWaitMs;
  let hasEnded = false;

  const refresh = async (): Promise<void> => {
    const changed = { sections, ids, isAll };
    sections = new Set();
    ids = new Set();
    isAll = false;
    const startedMs = performance.now();
    for (const [key, grid] of client.getQueriesData<{ readonly ids: readonly string[] }>({ queryKey: gridKey })) {
      // The item may have been in another section before, or may be deleted.
      if (grid?.ids.some((id) => changed.ids.has(id)) === true) changed.sections.add(String(key.at(-1)));
    }
    await Promise.all([
      refreshQueries(client, { predicate: ({ queryKey }) => isChanged(queryKey, changed) }),
      client.invalidateQueries({ predicate: ({ queryKey: [root] }) => countedLists.has(root), refetchType: 'none' }),
    ]);
    waitMs = Math.min(maxWaitMs, Math.max(minWaitMs, (performance.now() - startedMs) / maxRefetchShare));
    timer = undefined;
    if (isAll || ids.size > 0) schedule();
  };
  const schedule = (): void => {
    if (!hasEnded) timer ??= setTimeout(() => void refresh(), waitMs);
  };

  const refetchAll = (): void => {
    isAll = true;
    schedule();
  };

  return {
    handleEvent: (event) => {
      if (event.name === 'begin') firstRefetchTimer = setTimeout(refetchAll, firstRefetchDelayMs);
      else if (event.name === 'reset') refetchAll();
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
      clearTimeout(firstRefetchTimer);
    },
  };
};

function isChanged(key: QueryKey, { sections, ids, isAll }: Changes): boolean {
  if (key[0] === 'mediaItem') return isAll || ids.has(String(key[1]));
  if (gridKey.every((part, index) => key[index] === part)) return isAll || sections.has(String(key.at(-1)));
  return refreshedRoots.has(key[0]);
}

/**
 * Refetches the page's queries at once, and others when they are shown next. A query whose first request is pending is
 * refetched after it: its response may predate the change, and TanStack would neither cancel nor repeat that request.
 */
const refreshQueries = async (client: QueryClient, filters: QueryFilters): Promise<void> => {
  const queries = client.getQueryCache().findAll(filters);
  const loaded = new Set(queries.filter(({ state }) => state.data !== undefined));
  await Promise.all([
    // In one pass: each `invalidateQueries` scans the whole cache.
    client.invalidateQueries({ predicate: (query) => loaded.has(query) }),
    ...queries.filter((query) => !loaded.has(query)).map((query) => refreshWhenLoaded(client, query)),
  ]);
};

const refreshWhenLoaded = async (client: QueryClient, query: Query): Promise<void> => {
  await query.promise?.catch(() => undefined);
  await client.invalidateQueries({ predicate: (other) => other === query });
};
