import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../lib/api/client.ts';
import { toasts } from '../overlays/toasts.ts';
import { classifyFailure } from '../../lib/changes/classifyFailure.ts';

/** Sets the cover of an album; `null` lets the server choose it. Shows the outcome in a toast. */
export const useAlbumCover = (): ((albumId: string, coverMediaItemId: string | null) => Promise<void>) => {
  const client = useQueryClient();
  const { t } = useTranslation('collections');
  return async (albumId, coverMediaItemId) => {
    try {
      await call('PUT /v1/albums/{id}', { params: { id: albumId }, body: { coverMediaItemId } });
      toasts.add({ title: t('actions.done.useAsCover') });
    } catch (error) {
      toasts.add({ title: t(`actions.failed.${classifyFailure(error)}`), priority: 'high' });
    }
    await client.invalidateQueries({ queryKey: ['albums'] });
  };
};
