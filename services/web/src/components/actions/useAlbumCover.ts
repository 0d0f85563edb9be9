import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../lib/api/client.ts';
import { toasts } from '../overlays/toasts.ts';
import { failureOf } from '../../lib/changes/failureOf.ts';

/** Makes an item the cover of an album, or with `null` has it chosen automatically; says by a toast whether it was done. */
export const useAlbumCover = (): ((albumId: string, coverMediaItemId: string | null) => Promise<void>) => {
  const client = useQueryClient();
  const { t } = useTranslation('collections');
  return async (albumId, coverMediaItemId) => {
    try {
      await call('PUT /v1/albums/{id}', { params: { id: albumId }, body: { coverMediaItemId } });
      toasts.add({ title: t('actions.done.useAsCover') });
    } catch (error) {
      toasts.add({ title: t(`actions.failed.${failureOf(error)}`), priority: 'high' });
    }
    await client.invalidateQueries({ queryKey: ['albums'] });
  };
};
