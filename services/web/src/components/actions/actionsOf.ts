import type { FeatureName } from '@hearth/contract/vocabulary.ts';
import {
  ArchiveRestore,
  Award,
  Download,
  Eye,
  EyeOff,
  FolderMinus,
  FolderPlus,
  Heart,
  HeartOff,
  Images,
  ImageUp,
  Trash,
  Trash2,
  UserX,
  type LucideIcon,
} from 'lucide-react';

/** The kinds of lists that items are shown in: the library and what is like it, one album, one person, photos that show the same, the hidden ones, the trash, a visitor's album. */
type ListName = 'library' | 'favourites' | 'hidden' | 'trash' | 'shared' | 'album' | 'person' | 'duplicates';

/** The kind of list in which the items are shown. */
export type CollectionKind =
  | { readonly name: Exclude<ListName, 'album' | 'person' | 'duplicates'> }
  | { readonly name: 'album'; readonly albumId: string }
  | { readonly name: 'person'; readonly personId: string }
  /** `keep` moves the others to the trash. */
  | { readonly name: 'duplicates'; readonly keep: (ids: readonly string[]) => void };

/** Everything that can be done with selected items, by name. */
export type ActionName =
  | 'addToAlbum'
  | 'favourite'
  | 'unfavourite'
  | 'download'
  | 'findSimilar'
  | 'useAsCover'
  | 'removeFromAlbum'
  | 'removeFromPerson'
  | 'keepOnly'
  | 'hide'
  | 'unhide'
  | 'trash'
  | 'restore'
  | 'removeForGood';

/** The icon of each action. */
export const actionIcons: Readonly<Record<ActionName, LucideIcon>> = {
  addToAlbum: FolderPlus,
  favourite: Heart,
  unfavourite: HeartOff,
  download: Download,
  findSimilar: Images,
  useAsCover: ImageUp,
  removeFromAlbum: FolderMinus,
  removeFromPerson: UserX,
  keepOnly: Award,
  hide: EyeOff,
  unhide: Eye,
  trash: Trash2,
  restore: ArchiveRestore,
  removeForGood: Trash,
};

const featureOf: Readonly<Partial<Record<ActionName, FeatureName>>> = {
  addToAlbum: 'albums',
  favourite: 'favourites',
  unfavourite: 'favourites',
  removeFromPerson: 'people',
  keepOnly: 'trash',
  hide: 'hidden',
  unhide: 'hidden',
  trash: 'trash',
};

/** What is done with a single item. */
const ofOne: ReadonlySet<ActionName> = new Set(['useAsCover', 'findSimilar']);

/**
 * What can be done with the selected items of a list of this kind, what is done most often first. What is switched off for the user is left
 * out; until `features` are known everything counts as switched on.
 */
export const actionsOf = (
  list: ListName,
  selected: { readonly count: number; readonly areAllFavourites: boolean },
  features?: Readonly<Record<FeatureName, boolean>>,
): readonly ActionName[] => {
  const heart = list === 'favourites' || selected.areAllFavourites ? 'unfavourite' : 'favourite';
  const byKind = {
    library: ['addToAlbum', heart, 'download', 'trash', 'hide', 'findSimilar'],
    favourites: ['addToAlbum', heart, 'download', 'trash', 'hide', 'findSimilar'],
    album: [heart, 'download', 'removeFromAlbum', 'trash', 'addToAlbum', 'useAsCover', 'hide', 'findSimilar'],
    person: ['addToAlbum', heart, 'removeFromPerson', 'download', 'trash', 'hide', 'findSimilar'],
    duplicates: ['keepOnly', 'addToAlbum', heart, 'download', 'trash', 'hide', 'findSimilar'],
    hidden: ['unhide', 'download', 'trash'],
    trash: ['restore', 'removeForGood'],
    shared: ['download'],
  } as const satisfies Record<ListName, readonly ActionName[]>;
  return byKind[list].filter((action: ActionName) => {
    const feature = featureOf[action];
    if (feature !== undefined && features?.[feature] === false) return false;
    return !ofOne.has(action) || selected.count === 1;
  });
};
