// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { hasWords, PendingEmbedding, PendingNote, processingQuery } from './PendingEmbedding.tsx';

const queryKey = ['mediaItems', 'search', { q: 'beach' }];

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

/**
 * Renders a search with no results, or one result with these reasons. `blocked`: blocked components. Returns a function
 * that returns the number of requests.
 */
const search = async (
  blocked: readonly { readonly component: string }[],
  reasons?: readonly { readonly kind: string; readonly words: readonly string[] }[],
) => {
  let requestCount = 0;
  const client = new QueryClient({
    defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, retry: false } },
  });
  const Search = () => {
    const queryFn = () =>
      Promise.resolve({ pages: [{ items: reasons ? [{ reasons }] : [] }], requestCount: (requestCount += 1) });
    useQuery({ queryKey, queryFn });
    if (reasons !== undefined) return <PendingNote queryKey={queryKey} />;
    return <PendingEmbedding queryKey={queryKey}>Nothing found</PendingEmbedding>;
  };
  client.setQueryData(processingQuery.queryKey, { waiting: [], failed: [], blocked: blocked as never[] });
  render(
    <QueryClientProvider client={client}>
      <Search />
    </QueryClientProvider>,
  );
  await act(() => vi.advanceTimersByTimeAsync(0));
  return { requestCount: () => requestCount };
};

const isNoteShown = (): boolean => screen.queryByText('Nothing found') !== null;
const isLateNoteShown = (): boolean => (screen.getByRole('status').textContent ?? '') !== '';

it('repeats a text-only search twice before it reports no results', async () => {
  const { requestCount } = await search([]);
  expect([requestCount(), isNoteShown()]).toEqual([1, false]);
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect([requestCount(), isNoteShown()]).toEqual([2, false]);
  await act(() => vi.advanceTimersByTimeAsync(3_000));
  expect([requestCount(), isNoteShown()]).toEqual([3, true]);
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(requestCount()).toBe(3);
});

it('reports no results at once when semantic search is blocked', async () => {
  const { requestCount } = await search([{ component: 'SEARCH' }]);
  expect([requestCount(), isNoteShown()]).toEqual([1, true]);
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(requestCount()).toBe(1);
});

it.each([
  ['file names', 'filename', true],
  ['names of people', 'person', false],
])('repeats the search for results matched by %s', async (_, kind, isNoted) => {
  const { requestCount } = await search([], [{ kind, words: ['beach'] }]);
  expect([requestCount(), isLateNoteShown()]).toEqual([1, isNoted]);
  for (const waitMs of [1_000, 3_000]) await act(() => vi.advanceTimersByTimeAsync(waitMs));
  expect([requestCount(), isLateNoteShown()]).toEqual([3, false]);
});

it.each([
  ['beach', true],
  ['beach 2019', true],
  ['IMG_2002', false],
  ['2019', false],
])('detects whether “%s” may describe a picture: %s', (q, expected) => {
  expect(hasWords(q)).toBe(expected);
});
