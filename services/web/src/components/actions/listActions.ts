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

/** List types. `library` includes similar items; `shared` is a shared album as visitors see it. */
type ListName = 'library' | 'favourites' | 'hidden' | 'trash' | 'shared' | 'album' | 'person' | 'duplicates';

/** List that shows the items, with the data its actions need. */
export type CollectionKind =
  | { readonly name: Exclude<ListName, 'album' | 'person' | 'duplicates'> }
  | { readonly name: 'album'; readonly albumId: string }
  | { readonly name: 'person'; readonly personId: string }
  /** `keep` moves the other items to the trash. */
  | { readonly name: 'duplicates'; readonly keep: (ids: readonly string[]) => void };

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

const featureByAction: Readonly<Partial<Record<ActionName, FeatureName>>> = {
  addToAlbum: 'albums',
  favourite: 'favourites',
  unfavourite: 'favourites',
  removeFromPerson: 'people',
  keepOnly: 'trash',
  hide: 'hidden',
  unhide: 'hidden',
  trash: 'trash',
};

/** Actions for a single item only. */
const singleItemActions: ReadonlySet<ActionName> = new Set(['useAsCover', 'findSimilar']);

/**
 * Returns the actions for selected items of a list, most used first. Omits actions of disabled features. While
 * `features` is undefined, all count as enabled.
 */
export const listActions = (
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
    const feature = featureByAction[action];
    if (feature !== undefined && features?.[feature] === false) return false;
    return !singleItemActions.has(action) || selected.count === 1;
  });
};
