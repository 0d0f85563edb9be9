import type { QueryClient } from '@tanstack/react-query';

/** What shows media items, or counts them. */
const roots: ReadonlySet<unknown> = new Set(['mediaItems', 'albums', 'people', 'places', 'things', 'duplicates']);

/**
 * Has everything loaded anew that shows one of these items or counts it. The lists of duplicates wait until they are shown next: while they are on the page,
 * whoever reviews them has taken out what has changed, and hundreds of pages may be loaded.
 */
export const refreshAfter = async (client: QueryClient, ids: ReadonlySet<string>): Promise<void> => {
  await Promise.all([
    client.invalidateQueries({
      predicate: ({ queryKey: [root, part] }) =>
        (roots.has(root) && !(root === 'duplicates' && part === 'list')) ||
        (root === 'mediaItem' && typeof part === 'string' && ids.has(part)),
    }),
    client.invalidateQueries({ queryKey: ['duplicates', 'list'], refetchType: 'none' }),
  ]);
};
