import type { Album, AlbumUpdate } from '@hearth/contract/albums.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../lib/api/client.ts';
import { classifyFailure } from '../../lib/changes/classifyFailure.ts';
import { toasts } from '../../components/overlays/toasts.ts';

/** Actions on an album. Each returns whether it succeeded, and shows a toast after a failure. */
export interface AlbumChanges {
  /** Updates the page at once, then the server. `done`: text of a success toast with undo. */
  readonly update: (album: Album, change: AlbumUpdate, done?: string) => Promise<boolean>;
  readonly remove: (album: Album) => Promise<boolean>;
}

export const useAlbumChanges = (): AlbumChanges => {
  const client = useQueryClient();
  const { t } = useTranslation('albums');

  const tryUpdate = async (action: () => Promise<unknown>): Promise<boolean> => {
    try {
      await action();
      return true;
    } catch (error) {
      toasts.add({ title: t(`actions.failed.${classifyFailure(error)}`, { ns: 'collections' }), priority: 'high' });
      return false;
    } finally {
      void client.invalidateQueries({ queryKey: ['albums'] });
    }
  };

  const update: AlbumChanges['update'] = async (album, change, done) => {
    const { id } = album;
    const { coverMediaItemId: _, description, ...rest } = change;
    await client.cancelQueries({ queryKey: ['albums', id], exact: true });
    client.setQueryData<Album>(['albums', id], {
      ...album,
      ...rest,
      ...(description === undefined ? {} : { description: description ?? undefined }),
      // A share gets a new id, which the next response contains.
      ...('shared' in change && change.shared !== album.shared && { shareId: undefined }),
    });
    const isDone = await tryUpdate(() => call('PUT /v1/albums/{id}', { params: { id }, body: change }));
    if (!isDone) client.setQueryData(['albums', id], album);
    if (isDone && done !== undefined) {
      const toast = toasts.add({
        title: done,
        actionProps: {
          children: t('undo', { ns: 'common' }),
          onClick: () => {
            toasts.close(toast);
            void update({ ...album, ...rest }, invertUpdate(album, change));
          },
        },
      });
    }
    return isDone;
  };

  return {
    update,
    remove: async ({ id, name }) => {
      const isDone = await tryUpdate(() => call('DELETE /v1/albums/{id}', { params: { id } }));
      if (isDone) toasts.add({ title: t('deleted', { name }) });
      return isDone;
    },
  };
};

/** Returns the update that restores the fields that `change` sets. */
export const invertUpdate = (album: Album, change: AlbumUpdate): AlbumUpdate => ({
  ...('name' in change && { name: album.name }),
  ...('description' in change && { description: album.description ?? null }),
  ...('coverMediaItemId' in change && { coverMediaItemId: album.coverMediaItemId ?? null }),
  ...('shared' in change && { shared: album.shared }),
  ...('hidden' in change && { hidden: album.hidden }),
});
