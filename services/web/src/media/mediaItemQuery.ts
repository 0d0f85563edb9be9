import type { MediaItemDetails } from '@hearth/contract/mediaItem.ts';
import { call } from '../api/client.ts';

/** Everything about one item of the user who is signed in, also a hidden one and one in the trash. */
export const mediaItemQuery = (id: string) => ({
  queryKey: ['mediaItem', id] as const,
  queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<MediaItemDetails> =>
    call('GET /v1/mediaItems/{id}', { params: { id }, signal }),
});
