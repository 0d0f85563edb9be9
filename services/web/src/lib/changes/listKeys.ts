import type { QueryClient } from '@tanstack/react-query';

const timeline = ['mediaItems', 'timeline'] as const;

/** Query keys of the lists that actions change, and of the timeline. */
export const listKeys = {
  favourites: ['mediaItems', 'favourites'],
  hidden: ['mediaItems', 'hidden'],
  trash: ['mediaItems', 'trash'],
  album: (id: string) => ['mediaItems', 'albums', id] as const,
  person: (id: string) => ['mediaItems', 'person', id] as const,
  /** Timeline sections with their item counts. */
  timelineSections: [...timeline, 'sections'],
  /** Items of a timeline section. Without a section: the prefix of all these keys. */
  timelineGrid: (section?: string) => [...timeline, 'grid', ...(section === undefined ? [] : [section])] as const,
} as const;

/** Roots of query keys that show or count media items. */
const roots: ReadonlySet<unknown> = new Set(['mediaItems', 'albums', 'people', 'places', 'things', 'duplicates']);

/**
 * Refetches all queries that show or count these items. Lists of duplicates wait until they are shown next: the review
 * removes changed items from the open list itself, which can have hundreds of pages.
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
