import type { QueryClient } from '@tanstack/react-query';

/** What shows media items, or counts them. */
const roots: ReadonlySet<unknown> = new Set(['mediaItems', 'albums', 'people', 'places', 'things']);

/** Has everything loaded anew that shows one of these items or counts it. */
export const refreshAfter = async (client: QueryClient, ids: ReadonlySet<string>): Promise<void> => {
  await client.invalidateQueries({
    predicate: ({ queryKey: [root, id] }) =>
      roots.has(root) || (root === 'mediaItem' && typeof id === 'string' && ids.has(id)),
  });
};
