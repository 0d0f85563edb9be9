import type { QueryClient } from '@tanstack/react-query';

const timeline = ['mediaItems', 'timeline'] as const;

/** The keys of the lists whose members the actions know, and of what changes with the library. */
export const listKeys = {
  favourites: ['mediaItems', 'favourites'],
  hidden: ['mediaItems', 'hidden'],
  trash: ['mediaItems', 'trash'],
  album: (id: string) => ['mediaItems', 'albums', id] as const,
  person: (id: string) => ['mediaItems', 'person', id] as const,
  /** The sections of the timeline, and how many items each has. */
  timelineSections: [...timeline, 'sections'],
  /** The items of one section of the timeline; without a section, what the keys of all of them begin with. */
  timelineGrid: (section?: string) => [...timeline, 'grid', ...(section === undefined ? [] : [section])] as const,
} as const;

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
