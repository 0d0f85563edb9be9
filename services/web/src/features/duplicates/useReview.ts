import type { DuplicateGroup } from '@hearth/contract/duplicates.ts';
import { useMutation, useQueryClient, type InfiniteData, type QueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Page } from '../../api/client.ts';
import { failureOf } from '../../media/actions/failureOf.ts';
import { refreshAfter } from '../../media/actions/refreshAfter.ts';
import { toasts } from '../../ui/toasts.ts';
import { sendReview, type Review } from './sendReview.ts';

/** Says something of a group, and by a toast what has come of it and how to take that back. `onDone` is called before the group leaves its list. */
export const useReview = ({ id, mediaItems }: Pick<DuplicateGroup, 'id' | 'mediaItems'>, onDone?: () => void) => {
  const { t } = useTranslation(['duplicates', 'collections', 'common']);
  const client = useQueryClient();
  const fail = (error: unknown): void => {
    toasts.add({ title: t(`collections:actions.failed.${failureOf(error)}`), priority: 'high' });
    void client.invalidateQueries({ queryKey: ['duplicates'] });
  };
  const refresh = (): void => void refreshAfter(client, new Set(mediaItems.map((item) => item.id)));

  const takeBack = async (): Promise<void> => {
    toasts.add({ id: `restoring-${id}`, title: t('restoring') });
    try {
      await sendReview(id, { name: 'restore' });
      toasts.add({ title: t('takenBack') });
    } catch (error) {
      fail(error);
    } finally {
      toasts.close(`restoring-${id}`);
      void client.invalidateQueries({ queryKey: ['duplicates'] });
      refresh();
    }
  };

  return useMutation({
    mutationFn: (review: Review) => sendReview(id, review),
    onError: fail,
    onSuccess: (moved, { name }) => {
      onDone?.();
      leaveLists(client, id);
      if (name === 'restore') {
        toasts.add({ title: t('takenBack') });
        return;
      }
      const undo = (): void => {
        toasts.close(toast);
        void takeBack();
      };
      const title = name === 'dismiss' ? t('dismissed') : t('resolved', { count: moved });
      const toast = toasts.add({ title, actionProps: { children: t('common:undo'), onClick: undo } });
    },
    onSettled: refresh,
  });
};

/** Takes a group out of the lists that are in memory. They are read again when they are shown next: whoever reviews the hundredth page has a hundred of them loaded. */
const leaveLists = (client: QueryClient, id: string): void => {
  client.setQueriesData<InfiniteData<Page<DuplicateGroup>>>({ queryKey: ['duplicates', 'list'] }, (data) =>
    data === undefined
      ? undefined
      : {
          ...data,
          pages: data.pages.map((page) => ({ ...page, items: page.items.filter((group) => group.id !== id) })),
        },
  );
};
