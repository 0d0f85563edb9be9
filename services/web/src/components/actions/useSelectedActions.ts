import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useFeatures } from '../../lib/api/useFeatures.ts';
import { useSelection } from '../selection/Selection.tsx';
import { listActions, type ActionName, type CollectionKind } from './listActions.ts';
import { findOriginal, type FindDownload } from '../../lib/changes/downloadAll.ts';
import { useAlbumCover } from './useAlbumCover.ts';
import { useItemActions } from './useItemActions.ts';

/**
 * Returns the actions for the selected items and a function that runs them. `openDialog` opens the dialog of actions
 * that need one.
 */
export const useSelectedActions = (props: {
  readonly kind: CollectionKind;
  readonly favourites: ReadonlySet<string>;
  readonly findDownload: FindDownload | undefined;
  readonly openDialog: (dialog: 'album' | 'removeForGood') => void;
}): {
  readonly actions: readonly ActionName[];
  readonly runAction: (name: ActionName) => void;
  readonly removeForGood: () => void;
} => {
  const { kind, favourites } = props;
  const selection = useSelection();
  const client = useQueryClient();
  const navigate = useNavigate();
  const features = useFeatures(kind.name !== 'shared');
  const itemActions = useItemActions();
  const setCover = useAlbumCover();
  const ids = [...selection.ids];
  const areAllFavourites = selection.ids.isSubsetOf(favourites);

  const runAction = (name: ActionName): void => {
    switch (name) {
      case 'addToAlbum':
        return props.openDialog('album');
      case 'removeForGood':
        return props.openDialog('removeForGood');
      case 'download':
        return void itemActions.download(ids, props.findDownload ?? findOriginal);
      case 'findSimilar':
        if (ids[0] !== undefined) void navigate({ to: '/similar/$id', params: { id: ids[0] } });
        return;
      case 'useAsCover':
        if (kind.name === 'album' && ids[0] !== undefined) void setCover(kind.albumId, ids[0]);
        return selection.clear();
      case 'removeFromAlbum': {
        if (kind.name !== 'album') return;
        const albumName = client.getQueryData<{ readonly name: string }>(['albums', kind.albumId])?.name ?? '';
        void itemActions.run({ name, albumId: kind.albumId, albumName }, ids);
        return selection.clear();
      }
      case 'removeFromPerson':
        if (kind.name === 'person') void itemActions.run({ name, personId: kind.personId }, ids);
        return selection.clear();
      case 'keepOnly':
        if (kind.name === 'duplicates') kind.keep(ids);
        return selection.clear();
      case 'favourite': {
        // Excludes existing favourites, so that undo does not unfavourite them.
        void itemActions.run(
          { name },
          ids.filter((id) => !favourites.has(id)),
        );
        return selection.clear();
      }
      case 'unfavourite':
      case 'hide':
      case 'unhide':
      case 'trash':
      case 'restore':
        void itemActions.run({ name }, ids);
        return selection.clear();
    }
  };

  return {
    actions: listActions(kind.name, { count: ids.length, areAllFavourites }, features),
    runAction,
    removeForGood: () => {
      void itemActions.removeForGood(ids);
      selection.clear();
    },
  };
};
