import type { SharedMediaItem } from '@hearth/contract/sharing.ts';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { findSharedFile, findSharedItem, listSharedIds, sharedItems, toSharedGridItem } from './sharedItems.ts';

const shareId = '018f0000-0000-7000-8000-000000000001';
const makeItem = (id: string): SharedMediaItem => ({
  id,
  mediaItemType: 'PHOTO',
  mediaItemCategory: 'DEFAULT',
  sourceUrl: `/source/${id}`,
  localTime: '2022-04-03T12:56:11',
});

const requests: { readonly address: string; readonly init: RequestInit | undefined }[] = [];

beforeEach(() => {
  requests.length = 0;
  // Album with two pages.
  vi.stubGlobal('fetch', (address: string, init?: RequestInit) => {
    requests.push({ address, init });
    const isLast = address.includes('cursor=');
    const headers = isLast ? undefined : { Link: `</v1/sharing/${shareId}/mediaItems?cursor=next>; rel="next"` };
    return Promise.resolve(
      Response.json([makeItem(isLast ? 'second' : 'first')], headers === undefined ? {} : { headers }),
    );
  });
});

afterEach(() => vi.unstubAllGlobals());

it('finds an item on a later page', async () => {
  await expect(findSharedItem(new QueryClient(), shareId, 'second')).resolves.toMatchObject({ id: 'second' });
  expect(requests).toHaveLength(2);
});

it('sends no request for a loaded item', async () => {
  const client = new QueryClient();
  await client.prefetchInfiniteQuery(sharedItems(shareId));
  requests.length = 0;
  await expect(findSharedItem(client, shareId, 'first')).resolves.toMatchObject({ id: 'first' });
  expect(requests).toEqual([]);
});

it('rejects with NOT_FOUND when no page contains the item', async () => {
  await expect(findSharedItem(new QueryClient(), shareId, 'third')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

it('lists the ids of all pages', async () => {
  await expect(listSharedIds(shareId)).resolves.toEqual(['first', 'second']);
});

it('sends neither token nor cookies', async () => {
  await listSharedIds(shareId);
  for (const { init } of requests) {
    expect(init?.credentials).toBe('omit');
    expect(new Headers(init?.headers).has('Authorization')).toBe(false);
  }
});

it('names a downloaded file by its capture time', async () => {
  await expect(findSharedFile(new QueryClient(), shareId, 'first')).resolves.toEqual({
    address: '/source/first',
    name: '2022-04-03 12-56-11',
  });
});

it.each([
  { type: 'PHOTO', category: 'DEFAULT', kind: 'photo' },
  { type: 'PHOTO', category: 'LIVE', kind: 'live' },
  { type: 'PHOTO', category: 'MOTION', kind: 'live' },
  { type: 'VIDEO', category: 'SLOW', kind: 'video' },
] as const)('shows $type of $category as $kind', ({ type, category, kind }) => {
  const item = { ...makeItem('first'), mediaItemType: type, mediaItemCategory: category };
  expect(toSharedGridItem(item)).toMatchObject({ kind, favourite: false, aspectRatio: 1 });
});
