import type { FeatureName } from '@hearth/contract/vocabulary.ts';

/* Model of the expected state of a user's library. It searches lists linearly, so that it is obviously correct. */

export interface Item {
  readonly id: string;
  readonly checksum: string;
  readonly filename: string;
  readonly localTime: string;
  readonly type: string;
  readonly category: string;
  readonly status: string;
  /** Degrees north and east. */
  readonly position: readonly [number, number] | undefined;
  description: string | undefined;
  isFavourite: boolean;
  isHidden: boolean;
  isTrashed: boolean;
  place: string | undefined;
  things: readonly string[];
}

/** An album, place, thing or person, with its cover. */
export interface Collection<Name = string> {
  readonly id: string;
  name: Name;
  /** Chosen by the user. Ignored unless it is a visible item of the collection. */
  coverId: string | null;
}

/** A person, without a name at first. */
export interface Person extends Collection<string | undefined> {
  isHidden: boolean;
  /** Number of calls before the person was created. */
  readonly created: number;
}

export interface Face {
  readonly id: string;
  readonly itemId: string;
  /** Position number in the picture. */
  readonly place: number;
  readonly quality: number;
  personId: string;
  /** True if the last run did not find the face. It is kept because of the user's input. */
  isMissed: boolean;
}

/** A user's statement that a face is not that person's. */
export interface Rejection {
  readonly faceId: string;
  readonly personId: string;
  /** Number of calls before the rejection. */
  readonly at: number;
}

/** A person who was merged into another one: the state before the merge, with the rejections at that time. */
export interface MergedPerson extends Person {
  readonly intoId: string;
  /** Id of the person who currently has the faces. */
  holderId: string;
  /** True if the other person got this person's name. */
  gaveName: boolean;
  /** Number of calls before the merge. */
  readonly at: number;
  /** Faces of this person at the merge. */
  readonly faceIds: ReadonlySet<string>;
  rejections: readonly Rejection[];
}

export interface Album extends Collection {
  description: string | undefined;
  isShared: boolean;
  /** Undefined while the album is not shared. */
  shareId: string | undefined;
  isHidden: boolean;
  readonly itemIds: Set<string>;
  /** Times as numbers of calls. */
  readonly created: number;
  updated: number;
}

export interface Job {
  readonly id: string;
  readonly components: readonly string[];
  status: string;
  /** Number of the user's items when the job was created. */
  readonly total: number;
}

export type ExploredKind = 'place' | 'thing';

export interface Library {
  readonly items: Item[];
  readonly albums: Album[];
  readonly place: Collection[];
  readonly thing: Collection[];
  people: Person[];
  faces: Face[];
  rejections: Rejection[];
  merged: MergedPerson[];
  /** Newest first. */
  readonly jobs: Job[];
  readonly off: Set<FeatureName>;
}

export const emptyLibrary = (): Library => ({
  items: [],
  albums: [],
  place: [],
  thing: [],
  people: [],
  faces: [],
  rejections: [],
  merged: [],
  jobs: [],
  off: new Set(),
});

export const isVisible = ({ isHidden, isTrashed }: Item): boolean => !isHidden && !isTrashed;

export const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);

/** Returns items in the common order: newest first, then by descending id. */
export const filterItems = ({ items }: Library, isIn: (item: Item) => boolean): Item[] =>
  items.filter(isIn).toSorted((a, b) => compare(b.localTime, a.localTime) || compare(b.id, a.id));

export const itemsOfAlbum = (library: Library, { itemIds }: Album): Item[] =>
  filterItems(library, (item) => isVisible(item) && itemIds.has(item.id));

/**
 * Returns true if the item is in a shared album, and the features albums and sharing are on. A hidden or trashed item also
 * counts.
 */
export const isItemShared = ({ albums, off }: Library, { id }: Item): boolean =>
  !off.has('albums') && !off.has('sharing') && albums.some(({ isShared, itemIds }) => isShared && itemIds.has(id));

export const itemsOfExplored = (library: Library, kind: ExploredKind, { name }: Collection): Item[] =>
  filterItems(library, (item) => isVisible(item) && listNames(item, kind).includes(name));

/** Returns the names of the places or things of an item. */
export const listNames = ({ place, things }: Item, kind: ExploredKind): readonly string[] =>
  kind === 'thing' ? things : place === undefined ? [] : [place];

/** Returns the cover of a collection with these visible items. */
export const findCover = ({ coverId }: Collection, items: readonly Item[]): Item | undefined =>
  items.find(({ id }) => id === coverId) ?? items[0];

/** Returns the places or things with a visible item, by name. */
export const listExplored = (library: Library, kind: ExploredKind): Collection[] =>
  library[kind].filter((explored) => itemsOfExplored(library, kind, explored).length > 0).toSorted(compareByName);

/** Compares in alphabetical order: first by letters and numbers, then exactly. */
export const compareNames = (a: string, b: string): number => collator.compare(a, b) || compare(a, b);

const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

export const compareByName = (a: Collection, b: Collection): number =>
  compareNames(a.name, b.name) || compare(a.id, b.id);

const sorts: Readonly<Record<string, (a: Album, b: Album) => number>> = {
  name: compareByName,
  createdAt: (a, b) => a.created - b.created,
  updatedAt: (a, b) => a.updated - b.updated,
};

/** Returns albums in the order of a `sort` of the contract. */
export const listAlbums = (
  { albums }: Library,
  {
    sort,
    isShared,
    isHidden,
  }: { readonly sort: string; readonly isShared: boolean | undefined; readonly isHidden: boolean },
): Album[] => {
  const sorted = albums
    .filter((album) => album.isHidden === isHidden && (isShared ?? album.isShared) === album.isShared)
    .toSorted(sorts[sort.replace('-', '')]);
  return sort.startsWith('-') ? sorted.toReversed() : sorted;
};

/** Returns the items of earlier years on a day of the year, such as `0403`. */
export const listItemsOfYearsAgo = (library: Library, monthDate: string, today: string): Item[] =>
  filterItems(library, (item) => {
    const [year, day] = [Number(item.localTime.slice(0, 4)), item.localTime.slice(5, 10).replace('-', '')];
    const isLeap = new Date(Date.UTC(year, 1, 29)).getUTCDate() === 29;
    const matchingDay = monthDate === '0229' && !isLeap ? '0228' : monthDate;
    return isVisible(item) && day === matchingDay && item.localTime.slice(0, 4) < today.slice(0, 4);
  });

/** Returns the number of visible items by month or day, latest first. */
export const countTimeline = (library: Library, dateLength: number): { date: string; count: number }[] => {
  const dates = filterItems(library, isVisible).map(({ localTime }) => localTime.slice(0, dateLength));
  return [...new Set(dates)].map((date) => ({ date, count: dates.filter((other) => other === date).length }));
};
