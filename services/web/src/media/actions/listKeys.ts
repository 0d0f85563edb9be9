const timeline = ['mediaItems', 'timeline'] as const;

/** The keys of the lists whose members the actions know, and of what changes with the library. */
export const listKeys = {
  favourites: ['mediaItems', 'favourites'],
  hidden: ['mediaItems', 'hidden'],
  trash: ['mediaItems', 'trash'],
  album: (id: string) => ['mediaItems', 'albums', id] as const,
  /** The months of the timeline, and how many items each has. */
  timelineMonths: [...timeline, 'months'],
  /** The items of one month of the timeline; without a month, what the keys of all of them begin with. */
  timelineGrid: (month?: string) => [...timeline, 'grid', ...(month === undefined ? [] : [month])] as const,
} as const;
