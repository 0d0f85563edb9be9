import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { LiveEvent } from '../../api/liveEvents.ts';
import { useLiveEvents } from '../../api/useLiveEvents.ts';
import type { MonthGrid } from './monthGrid.ts';
import { gridKey, monthsQuery } from './queries.ts';

/** Events that come within this time, in milliseconds, are answered together. */
const leastWaitMs = 500;

/** A server that answers slowly is asked this often at least, in milliseconds. */
const mostWaitMs = 5000;

/** Asking takes at most this part of the time, so that an import of many thousand files does not keep the page busy. */
const askingPart = 1 / 4;

/** Asks for the counts and for the months in which something has changed, a moment after the server has told so. */
export const useLiveTimeline = (): void => {
  const client = useQueryClient();
  const batch = useRef({ months: new Set<string>(), ids: new Set<string>(), isAll: false });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const waitMs = useRef(leastWaitMs);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );

  const refresh = async (): Promise<void> => {
    const { months, ids, isAll } = batch.current;
    batch.current = { months: new Set(), ids: new Set(), isAll: false };
    const begunMs = performance.now();
    for (const [key, grid] of client.getQueriesData<MonthGrid>({ queryKey: gridKey() })) {
      // An item may have been in another month before, or may be gone.
      if (isAll || grid?.ids.some((id) => ids.has(id)) === true) months.add(String(key.at(-1)));
    }
    await Promise.all([
      client.invalidateQueries({ queryKey: monthsQuery.queryKey }),
      ...[...months].map((month) => client.invalidateQueries({ queryKey: gridKey(month) })),
    ]);
    waitMs.current = Math.min(mostWaitMs, Math.max(leastWaitMs, (performance.now() - begunMs) / askingPart));
    timer.current = undefined;
    if (batch.current.isAll || batch.current.ids.size > 0) schedule();
  };
  const schedule = (): void => {
    timer.current ??= setTimeout(() => void refresh(), waitMs.current);
  };

  useLiveEvents((event: LiveEvent) => {
    if (event.name === 'mediaItem') {
      batch.current.ids.add(event.data.id);
      if (event.data.type !== 'removed') batch.current.months.add(event.data.localTime.slice(0, 7));
    } else {
      batch.current.isAll = true;
    }
    schedule();
  });
};
