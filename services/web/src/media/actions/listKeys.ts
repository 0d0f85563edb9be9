/** The keys of the lists whose members the actions know: what leaves one of them is taken out at once. */
export const listKeys = {
  favourites: ['mediaItems', 'favourites'],
  hidden: ['mediaItems', 'hidden'],
  trash: ['mediaItems', 'trash'],
  album: (id: string) => ['mediaItems', 'albums', id] as const,
} as const;
