import type { MediaItemDetails } from '@hearth/contract/mediaItem.ts';
import { call } from '../api/client.ts';

/** Milliseconds after which an item that is shown is loaded again: direct links to an S3 store work for 30 minutes at least. */
const renewMs = 20 * 60_000;

/** Everything about one item of the user who is signed in, also a hidden one and one in the trash. */
export const mediaItemQuery = (id: string) => ({
  queryKey: ['mediaItem', id] as const,
  queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<MediaItemDetails> =>
    call('GET /v1/mediaItems/{id}', { params: { id }, signal }),
  refetchInterval: renewMs,
});
