import type { TimelineGrid } from '@hearth/contract/timelineGrid.ts';
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { readApiError } from '../../lib/api/apiError.ts';
import { call, parseNextLink } from '../../lib/api/client.ts';
import { authorizedFetch } from '../../lib/api/session.ts';
import { listKeys } from '../../lib/changes/listKeys.ts';
import { joinPages, type SectionGrid } from './layout/sectionGrid.ts';

/** All sections with their item counts, latest first. */
export const sectionsQuery = queryOptions({
  queryKey: listKeys.timelineSections,
  queryFn: ({ signal }) => call('GET /v1/timeline', { query: { by: 'section' }, signal }),
});

/** Live events refetch changed sections at once. Missed changes are found after this time, in ms. */
const gridFreshMs = 5 * 60_000;

/** Items of one section, `2022-04` or `2022-04-03`. Cancelled when unused, and refetched with its ETag. */
export const gridQuery = (client: QueryClient, section: string) =>
  queryOptions({
    queryKey: listKeys.timelineGrid(section),
    queryFn: ({ signal }) =>
      fetchGrid(section, client.getQueryData<SectionGrid>(listKeys.timelineGrid(section)), signal),
    staleTime: gridFreshMs,
    // Comparing tens of thousands of items takes longer than rendering the visible ones.
    structuralSharing: false,
  });

async function fetchGrid(section: string, known: SectionGrid | undefined, signal: AbortSignal): Promise<SectionGrid> {
  const pages: TimelineGrid[] = [];
  let etag: string | undefined;
  let address: string | undefined = `/v1/timeline/${section}/grid`;
  while (address !== undefined) {
    // Conditional requests only for sections with a single page: the ETag of one page does not cover the next.
    const headers: HeadersInit = pages.length === 0 && known?.etag !== undefined ? { 'If-None-Match': known.etag } : {};
    // oxlint-disable-next-line no-await-in-loop -- each page names the next
    const response = await authorizedFetch(address, { headers, signal });
    if (response.status === 304 && known !== undefined) return known;
    // oxlint-disable-next-line no-await-in-loop -- as above
    if (!response.ok) throw await readApiError(response);
    // oxlint-disable-next-line no-await-in-loop -- as above
    pages.push((await response.json()) as TimelineGrid);
    address = parseNextLink(response.headers.get('Link'));
    etag = address === undefined && pages.length === 1 ? (response.headers.get('ETag') ?? undefined) : undefined;
  }
  return joinPages(pages, etag);
}

/**
 * Maximum number of cached items. Their ids, placeholders and ratios take far less memory than the 300 MB budget of a
 * tab.
 */
const maxCachedItems = 150_000;

/**
 * Removes the cached sections furthest from the current one, to limit memory on long scrolls through large libraries.
 */
export const evictFarSections = (
  client: QueryClient,
  sections: readonly { readonly date: string }[],
  current: string,
): void => {
  const known = client
    .getQueryCache()
    .findAll({ queryKey: listKeys.timelineGrid() })
    .map((query) => ({ query, size: (query.state.data as SectionGrid | undefined)?.ids.length ?? 0 }));
  // Most libraries are smaller. Skips sorting thousands of sections while scrolling.
  if (known.reduce((sum, { size }) => sum + size, 0) <= maxCachedItems) return;
  const numbers = new Map(sections.map(({ date }, number) => [date, number]));
  const centre = numbers.get(current) ?? 0;
  const nearestFirst = known
    .map(({ query, size }) => ({
      query,
      size,
      distance: Math.abs((numbers.get(String(query.queryKey.at(-1))) ?? Number.MAX_SAFE_INTEGER) - centre),
    }))
    .toSorted((one, other) => one.distance - other.distance);
  let sum = 0;
  for (const { query, size } of nearestFirst) {
    sum += size;
    if (sum > maxCachedItems && query.getObserversCount() === 0) client.getQueryCache().remove(query);
  }
};
