// @vitest-environment happy-dom
import type { TimelineGrid } from '@hearth/contract/timelineGrid.ts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it } from 'vitest';
import { joinPages, type SectionGrid } from './layout/sectionGrid.ts';
import { listKeys } from '../../lib/changes/listKeys.ts';
import { stackSections, type TimelineGeometry } from './layout/timelineGeometry.ts';
import { useShownSections, useTimelineSource } from './useTimelineSource.ts';

const names = ['2022-06', '2022-05-31', '2022-04-30', '2022-04-02', '2022-02'];

const makeGrid = (section: string): SectionGrid => {
  const ids = [`${section} a`, `${section} b`];
  const nothing: TimelineGrid['placeholders'] = ids.map(() => null);
  return joinPages(
    [
      {
        thumbnailPrefixes: [],
        days: [{ date: section.padEnd(10, '-01'), count: ids.length, places: [] }],
        ids,
        ratios: ids.map(() => 1),
        placeholders: nothing,
        kinds: ids.map(() => 'PHOTO'),
        durations: ids.map(() => null),
        thumbnails: ids.map(() => null),
        favourites: [],
        processing: [],
        failed: [],
      },
    ],
    undefined,
  );
};

it('extends section by section from an item to both ends of the timeline', () => {
  const client = new QueryClient();
  const grids = new Map(names.map((name) => [name, makeGrid(name)]));
  client.setQueryData(listKeys.timelineGrid('2022-04-30'), grids.get('2022-04-30'));
  const stack = (loaded: readonly string[]): TimelineGeometry =>
    stackSections(
      names.map((section) => ({
        section,
        count: 2,
        height: 100,
        grid: loaded.includes(section) ? grids.get(section) : undefined,
        layout: undefined,
      })),
    );
  const { result } = renderHook(
    () => {
      const shown = useShownSections('2022-04-30 a', names);
      return { shown, source: useTimelineSource(shown, stack(shown.wanted), null) };
    },
    {
      wrapper: ({ children }: { readonly children: ReactNode }) => (
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
      ),
    },
  );
  expect(result.current.source.items.map(({ id }) => id.split(' ')[0])).toEqual(
    ['2022-05-31', '2022-04-30', '2022-04-02'].flatMap((section) => [section, section]),
  );
  expect(result.current.source).toMatchObject({ hasMore: true, hasBefore: true, total: 10, isLoading: false });
  act(() => result.current.source.loadMore());
  act(() => result.current.source.loadBefore?.());
  expect(result.current.source.items[0]?.id).toBe('2022-06 a');
  expect(result.current.source.items.at(-1)?.id).toBe('2022-02 b');
  expect(result.current.source).toMatchObject({ hasMore: false, hasBefore: false });
});
