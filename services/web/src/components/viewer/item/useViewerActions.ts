import type { Features } from '@hearth/contract/features.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useFeatures } from '../../../lib/api/useFeatures.ts';
import { listActions, type ActionName, type CollectionKind } from '../../actions/listActions.ts';
import type { FindDownload } from '../../../lib/changes/downloadAll.ts';
import { useAlbumCover } from '../../actions/useAlbumCover.ts';
import { useItemActions } from '../../actions/useItemActions.ts';
import { ownItemQuery, type ViewedItem } from './viewedItem.ts';

export interface ViewerActions {
  readonly names: readonly ActionName[];
  readonly act: (name: ActionName) => void;
  readonly removeForGood: () => void;
}

/** Lists that an action removes the item from. */
const leavingActions: Readonly<Partial<Record<ActionName, readonly CollectionKind['name'][]>>> = {
  trash: ['library', 'favourites', 'album', 'person', 'duplicates', 'hidden'],
  hide: ['library', 'favourites', 'album', 'person', 'duplicates'],
  unhide: ['hidden'],
  restore: ['trash'],
  removeFromAlbum: ['album'],
  removeFromPerson: ['person'],
};

/**
 * Returns the actions for one item and a function that runs them. Calls `onLeave` before the item leaves the list.
 * `openDialog` opens the dialog of actions that need one.
 */
export const useViewerActions = (props: {
  readonly id: string;
  readonly item: ViewedItem | undefined;
  readonly isFavourite: boolean;
  /** True if the server returned 404 for the item. */
  readonly isGone: boolean;
  readonly kind: CollectionKind;
  readonly onLeave: () => void;
  readonly openDialog: (dialog: 'album' | 'removeForGood') => void;
}): ViewerActions => {
  const { id, item, kind } = props;
  const client = useQueryClient();
  const navigate = useNavigate();
  const features = useFeatures(kind.name !== 'shared');
  const itemActions = useItemActions();
  const setCover = useAlbumCover();
  const findDownload: FindDownload = () => Promise.resolve(item?.sourceUrl);
  // Optimistic update; the server's response replaces it.
  const updateCache = (change: Partial<ViewedItem>): void => {
    client.setQueryData<ViewedItem>(ownItemQuery(id).queryKey, (before) => before && { ...before, ...change });
  };

  const act = (name: ActionName): void => {
    if (leavingActions[name]?.includes(kind.name) === true) props.onLeave();
    switch (name) {
      case 'addToAlbum':
        return props.openDialog('album');
      case 'removeForGood':
        return props.openDialog('removeForGood');
      case 'download':
        return void itemActions.download([id], findDownload);
      case 'findSimilar':
        return void navigate({ to: '/similar/$id', params: { id } });
      case 'useAsCover':
        if (kind.name === 'album') void setCover(kind.albumId, id);
        return;
      case 'removeFromAlbum': {
        if (kind.name !== 'album') return;
        const albumName = client.getQueryData<{ readonly name: string }>(['albums', kind.albumId])?.name ?? '';
        return void itemActions.run({ name, albumId: kind.albumId, albumName }, [id]);
      }
      case 'removeFromPerson':
        if (kind.name === 'person') void itemActions.run({ name, personId: kind.personId }, [id]);
        return;
      case 'keepOnly':
        if (kind.name === 'duplicates') kind.keep([id]);
        return;
      case 'favourite':
      case 'unfavourite':
        updateCache({ favourite: name === 'favourite' });
        return void itemActions.run({ name }, [id]);
      case 'hide':
      case 'unhide':
      case 'trash':
      case 'restore':
        return void itemActions.run({ name }, [id]);
    }
  };

  return {
    names: props.isGone ? [] : listActionNames(kind, item, props.isFavourite, features),
    act,
    removeForGood: () => {
      props.onLeave();
      void itemActions.removeForGood([id]);
    },
  };
};

/**
 * Returns the actions for the item's actual state, which can differ from the list: it may have been trashed or
 * restored.
 */
function listActionNames(
  kind: CollectionKind,
  item: ViewedItem | undefined,
  isFavourite: boolean,
  features: Features | undefined,
): readonly ActionName[] {
  const names = listActions(getListName(kind, item), { count: 1, areAllFavourites: isFavourite }, features);
  // Originals of trashed items can be downloaded. The heart shows the item's state, also in the list of favourites.
  const all: readonly ActionName[] = names.includes('download') ? names : [...names, 'download'];
  const heart = isFavourite ? 'unfavourite' : 'favourite';
  return all
    .filter((name) => name !== 'download' || item?.sourceUrl !== undefined)
    .map((name) => (name === 'unfavourite' ? heart : name === 'hide' && item?.hidden === true ? 'unhide' : name));
}

function getListName(kind: CollectionKind, item: ViewedItem | undefined): CollectionKind['name'] {
  if (kind.name === 'shared' || item?.deleted === undefined) return kind.name;
  if (item.deleted) return 'trash';
  return kind.name === 'trash' ? 'library' : kind.name;
}
