import type { MediaItemDetails } from '@hearth/contract/mediaItem.ts';
import { call } from '../api/client.ts';

/** Refetch interval of an item in view, in ms. Direct links to an S3 store are valid for at least 30 minutes. */
const renewMs = 20 * 60_000;

/** Query of one item of the signed-in user, including hidden and trashed ones. */
export const mediaItemQuery = (id: string) => ({
  queryKey: ['mediaItem', id] as const,
  queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<MediaItemDetails> =>
    call('GET /v1/mediaItems/{id}', { params: { id }, signal }),
  refetchInterval: renewMs,
});
