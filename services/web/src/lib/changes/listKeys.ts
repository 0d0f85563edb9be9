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
