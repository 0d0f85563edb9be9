import type { SharedMediaItem } from '@hearth/contract/sharing.ts';
import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import { ApiError } from '../../lib/api/apiError.ts';
import { callPublic, callPublicPage } from '../../lib/api/client.ts';
import type { FileToSave } from '../../lib/changes/downloadAll.ts';
import type { GridItem } from '../../lib/items/gridItem.ts';

/** Refetch interval of shared items. Their file links are valid for 15 minutes. */
const renewMs = 10 * 60_000;

export const sharedAlbum = (id: string) =>
  queryOptions({
    queryKey: ['sharing', id],
    queryFn: ({ signal }) => callPublic('GET /v1/sharing/{id}', { params: { id }, signal }),
  });

/** Items of a shared album as visitors see them, paginated. */
export const sharedItems = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['sharing', id, 'items'],
    queryFn: ({ pageParam, signal }) => listPage(id, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
    staleTime: renewMs,
    refetchInterval: renewMs,
  });

/**
 * Finds one item of a shared album in the loaded pages, then in the pages of the API, which has no endpoint for a
 * single item.
 *
 * @throws ApiError `NOT_FOUND` if no page contains it
 */
export const findSharedItem = async (
  client: QueryClient,
  shareId: string,
  id: string,
  signal?: AbortSignal,
): Promise<SharedMediaItem> => {
  const { queryKey } = sharedItems(shareId);
  const { data, dataUpdatedAt = 0 } = client.getQueryState(queryKey) ?? {};
  const loaded = data?.pages.flatMap(({ items }) => items).find((item) => item.id === id);
  if (loaded !== undefined && Date.now() - dataUpdatedAt < renewMs) return loaded;
  let next: string | undefined;
  do {
    const page = await listPage(shareId, next, signal);
    const found = page.items.find((item) => item.id === id);
    if (found !== undefined) return found;
    next = page.next;
  } while (next !== undefined);
  throw new ApiError({ status: 404, code: 'NOT_FOUND', message: 'media item not found' });
};

/**
 * Returns the address of an item's largest version, which contains no metadata, and a name made of its capture time.
 *
 * @throws ApiError
 */
export const findSharedFile = async (
  client: QueryClient,
  shareId: string,
  id: string,
): Promise<FileToSave | undefined> => {
  const { sourceUrl, localTime } = await findSharedItem(client, shareId, id);
  return sourceUrl === undefined
    ? undefined
    : { address: sourceUrl, name: localTime.slice(0, 19).replace('T', ' ').replaceAll(':', '-') };
};

/** Lists the ids of all items of a shared album. @throws ApiError */
export const listSharedIds = async (shareId: string): Promise<readonly string[]> => {
  const ids: string[] = [];
  let next: string | undefined;
  do {
    const page = await listPage(shareId, next);
    ids.push(...page.items.map(({ id }) => id));
    next = page.next;
  } while (next !== undefined);
  return ids;
};

function listPage(id: string, next: string | undefined, signal?: AbortSignal) {
  return callPublicPage('GET /v1/sharing/{id}/mediaItems', { params: { id }, query: { limit: 200 }, next, signal });
}

export const toSharedGridItem = (item: SharedMediaItem): GridItem => ({
  id: item.id,
  aspectRatio: item.width !== undefined && item.height !== undefined ? item.width / item.height : 1,
  placeholder: item.placeholder,
  kind: toKind(item),
  day: item.localTime.slice(0, 10),
  durationSeconds: item.durationSeconds,
  thumbnailUrl: item.thumbnailUrl,
  motionUrl: item.motionUrl,
  favourite: false,
  status: 'READY',
});

function toKind({ mediaItemType, mediaItemCategory }: SharedMediaItem): GridItem['kind'] {
  if (mediaItemType === 'VIDEO') return 'video';
  return mediaItemCategory === 'LIVE' || mediaItemCategory === 'MOTION' ? 'live' : 'photo';
}
