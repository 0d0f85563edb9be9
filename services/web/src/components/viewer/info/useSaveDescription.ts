import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../lib/api/client.ts';
import { toasts } from '../../overlays/toasts.ts';
import { ownItemQuery, type ViewedItem } from '../item/viewedItem.ts';

/**
 * Saves an item's description and shows a toast with undo. Returns whether it was saved. An empty text deletes the
 * description.
 */
export const useSaveDescription = (id: string): ((text: string, before: string) => Promise<boolean>) => {
  const client = useQueryClient();
  const { t } = useTranslation(['viewer', 'common']);
  const send = async (text: string): Promise<boolean> => {
    try {
      await call('PUT /v1/mediaItems/{id}', { params: { id }, body: { description: text === '' ? null : text } });
    } catch {
      return false;
    }
    client.setQueryData<ViewedItem>(
      ownItemQuery(id).queryKey,
      (item) => item && { ...item, description: text === '' ? undefined : text },
    );
    void client.invalidateQueries({ queryKey: ['mediaItems'] });
    return true;
  };
  return async (text, before) => {
    if (!(await send(text))) return false;
    const toast = toasts.add({
      title: t('info.descriptionSaved'),
      actionProps: {
        children: t('common:undo'),
        onClick: () => {
          toasts.close(toast);
          void send(before).then((isDone) => isDone || toasts.add({ title: t('info.undoFailed'), priority: 'high' }));
        },
      },
    });
    return true;
  };
};
