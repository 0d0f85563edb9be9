import type { MediaItemEvent } from '@hearth/contract/events.ts';
import { QueryClient, QueryObserver, type QueryKey } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listKeys } from '../../lib/changes/listKeys.ts';
import { makeLibraryRefresh, type LibraryRefresh } from './libraryRefresh.ts';

const updated = (id: string, month: string): MediaItemEvent => ({
  type: 'updated',
  id,
  status: 'READY',
  favourite: false,
  hidden: false,
  deleted: false,
  listed: true,
  localTime: `${month}-01T12:00:00.000`,
});

describe('library refresh', () => {
  let client: QueryClient;
  let refresh: LibraryRefresh;
  beforeEach(() => {
    vi.useFakeTimers();
    client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, retry: false } } });
    refresh = makeLibraryRefresh(client);
  });
  afterEach(() => {
    refresh.end();
    client.clear();
    vi.useRealTimers();
  });

  /** Mounts a query. Each call of `respond` resolves the oldest pending request. */
  const show = (queryKey: QueryKey) => {
    const waiting: ((data: unknown) => void)[] = [];
    let fetchCount = 0;
    const observer = new QueryObserver(client, {
      queryKey,
      queryFn: () => {
        fetchCount += 1;
        return new Promise((resolve) => waiting.push(resolve));
      },
    });
    const unmount = observer.subscribe(() => undefined);
    return {
      unmount,
      fetchCount: () => fetchCount,
      shown: () => observer.getCurrentResult().data,
      respond: async (data: unknown) => {
        waiting.shift()?.(data);
        await vi.advanceTimersByTimeAsync(0);
      },
    };
  };
  const sendEvent = async (event: MediaItemEvent): Promise<void> => {
    refresh.handleEvent({ name: 'mediaItem', data: event });
    await vi.advanceTimersByTimeAsync(600);
  };

  it('refetches a month whose first request was pending during the event', async () => {
    const month = show(listKeys.timelineGrid('2022-06'));
    await sendEvent(updated('a', '2022-06'));
    expect(month.fetchCount()).toBe(1);
    await month.respond({ ids: ['a'], version: 'old' });
    expect(month.fetchCount()).toBe(2);
    await month.respond({ ids: ['a'], version: 'new' });
    expect(month.shown()).toEqual({ ids: ['a'], version: 'new' });
  });

  it('invalidates the changed item when no page shows it', async () => {
    const [a, b] = [show(['mediaItem', 'a']), show(['mediaItem', 'b'])];
    await a.respond({ status: 'PROCESSING' });
    await b.respond({ status: 'PROCESSING' });
    a.unmount();
    b.unmount();
    await sendEvent(updated('a', '2022-06'));
    expect(client.getQueryState(['mediaItem', 'a'])?.isInvalidated).toBe(true);
    expect(client.getQueryState(['mediaItem', 'b'])?.isInvalidated).toBe(false);
    expect(show(['mediaItem', 'a']).fetchCount()).toBe(1);
  });

  it('refetches only the timeline months that contain or contained the item', async () => {
    const oldMonth = show(listKeys.timelineGrid('2022-04'));
    const otherMonth = show(listKeys.timelineGrid('2022-05'));
    const newMonth = show(listKeys.timelineGrid('2022-06'));
    const months = show(listKeys.timelineSections);
    await oldMonth.respond({ ids: ['a'] });
    await otherMonth.respond({ ids: ['b'] });
    await newMonth.respond({ ids: ['c'] });
    await months.respond([]);
    await sendEvent(updated('a', '2022-06'));
    expect([oldMonth, otherMonth, newMonth, months].map(({ fetchCount }) => fetchCount())).toEqual([2, 1, 2, 2]);
  });

  it('refetches the day of the item when the month is split into days', async () => {
    const [day, other] = [show(listKeys.timelineGrid('2022-06-01')), show(listKeys.timelineGrid('2022-06-02'))];
    await day.respond({ ids: [] });
    await other.respond({ ids: [] });
    await sendEvent(updated('a', '2022-06'));
    expect([day.fetchCount(), other.fetchCount()]).toEqual([2, 1]);
  });

  it('refetches lists at once, and counts only when they are shown next', async () => {
    const [trash, people, version] = [show(listKeys.trash), show(['people']), show(['version'])];
    for (const list of [trash, people, version]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await list.respond([]);
    }
    await sendEvent({ type: 'removed', id: 'a' });
    expect([trash, people, version].map(({ fetchCount }) => fetchCount())).toEqual([2, 1, 1]);
    expect(client.getQueryState(['people'])?.isInvalidated).toBe(true);
    expect(client.getQueryState(['version'])?.isInvalidated).toBe(false);
  });

  it('refetches everything after a reset', async () => {
    const [item, month] = [show(['mediaItem', 'a']), show(listKeys.timelineGrid('2022-06'))];
    await item.respond({});
    await month.respond({ ids: [] });
    refresh.handleEvent({ name: 'reset' });
    await vi.advanceTimersByTimeAsync(600);
    expect([item.fetchCount(), month.fetchCount()]).toEqual([2, 2]);
  });

  it('refetches changed items at once, and everything some time after the first stream opens', async () => {
    const [item, month] = [show(['mediaItem', 'a']), show(listKeys.timelineGrid('2022-06'))];
    await item.respond({});
    await month.respond({ ids: ['b'] });
    refresh.handleEvent({ name: 'begin' });
    await sendEvent(updated('b', '2022-06'));
    expect([item.fetchCount(), month.fetchCount()]).toEqual([1, 2]);
    await month.respond({ ids: ['b'] });
    await vi.advanceTimersByTimeAsync(6000);
    expect([item.fetchCount(), month.fetchCount()]).toEqual([2, 3]);
  });

  it('batches events for longer when the server is slow', async () => {
    const trash = show(listKeys.trash);
    await trash.respond([]);
    await sendEvent(updated('a', '2022-06'));
    await sendEvent(updated('b', '2022-06'));
    expect(trash.fetchCount()).toBe(2);
    await vi.advanceTimersByTimeAsync(800);
    await trash.respond([]);
    await vi.advanceTimersByTimeAsync(4500);
    expect(trash.fetchCount()).toBe(2);
    await vi.advanceTimersByTimeAsync(1000);
    expect(trash.fetchCount()).toBe(3);
  });
});
