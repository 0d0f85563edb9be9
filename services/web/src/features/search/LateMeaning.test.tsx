// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { hasMeaning, LateMeaning, LateNote, processingQuery } from './LateMeaning.tsx';

const queryKey = ['mediaItems', 'search', { q: 'beach' }];

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

/** A search that has found nothing, or what has these reasons, where `blocked` cannot be found out of pictures. Answers how often it was asked. */
const search = async (
  blocked: readonly { readonly component: string }[],
  reasons?: readonly { readonly kind: string; readonly words: readonly string[] }[],
) => {
  let asked = 0;
  const client = new QueryClient({
    defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, retry: false } },
  });
  const Search = () => {
    const queryFn = () => Promise.resolve({ pages: [{ items: reasons ? [{ reasons }] : [] }], asked: (asked += 1) });
    useQuery({ queryKey, queryFn });
    if (reasons !== undefined) return <LateNote queryKey={queryKey} />;
    return <LateMeaning queryKey={queryKey}>Nothing found</LateMeaning>;
  };
  client.setQueryData(processingQuery.queryKey, { waiting: [], failed: [], blocked: blocked as never[] });
  render(
    <QueryClientProvider client={client}>
      <Search />
    </QueryClientProvider>,
  );
  await act(() => vi.advanceTimersByTimeAsync(0));
  return { asked: () => asked };
};

const isSaid = (): boolean => screen.queryByText('Nothing found') !== null;
const isNoteThere = (): boolean => (screen.getByRole('status').textContent ?? '') !== '';

it('asks a search that looked at words alone twice more, and only then says that there is nothing', async () => {
  const { asked } = await search([]);
  expect([asked(), isSaid()]).toEqual([1, false]);
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect([asked(), isSaid()]).toEqual([2, false]);
  await act(() => vi.advanceTimersByTimeAsync(3_000));
  expect([asked(), isSaid()]).toEqual([3, true]);
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(asked()).toBe(3);
});

it('says at once that there is nothing where pictures cannot be looked at', async () => {
  const { asked } = await search([{ component: 'SEARCH' }]);
  expect([asked(), isSaid()]).toEqual([1, true]);
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(asked()).toBe(1);
});

it.each([
  ['file names', 'filename', true],
  ['names of people', 'person', false],
])('asks again, too, where words were found as %s', async (_, kind, isNoted) => {
  const { asked } = await search([], [{ kind, words: ['beach'] }]);
  expect([asked(), isNoteThere()]).toEqual([1, isNoted]);
  for (const waitMs of [1_000, 3_000]) await act(() => vi.advanceTimersByTimeAsync(waitMs));
  expect([asked(), isNoteThere()]).toEqual([3, false]);
});

it.each([
  ['beach', true],
  ['beach 2019', true],
  ['IMG_2002', false],
  ['2019', false],
])('whether “%s” may mean what pictures show: %s', (q, may) => {
  expect(hasMeaning(q)).toBe(may);
});
