import type { DuplicateGroup } from '@hearth/contract/duplicates.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../lib/api/apiError.ts';
import { classifyFailure } from '../../lib/changes/classifyFailure.ts';
import { refreshAfter } from '../../lib/changes/listKeys.ts';
import { toasts } from '../../components/overlays/toasts.ts';
import { refetchGroup, replaceGroup } from './queries.ts';
import { sendReview, StoppedReviewError, type Review } from './sendReview.ts';

/**
 * Sends reviews of a group and shows the outcome in a toast with undo, also when the review stopped halfway. Calls
 * `onDone` before the group leaves its list.
 */
export const useReview = (
  group: Pick<DuplicateGroup, 'id' | 'mediaItems' | 'revision' | 'reviewed'>,
  onDone?: () => void,
) => {
  const { t } = useTranslation(['duplicates', 'collections', 'common']);
  const client = useQueryClient();
  const { id } = group;
  const refresh = (): void => void refreshAfter(client, new Set(group.mediaItems.map((item) => item.id)));

  const offerUndo = (title: string, description?: string): void => {
    const undo = (): void => {
      toasts.close(toast);
      void restoreItems();
    };
    const toast = toasts.add({ title, description, actionProps: { children: t('common:undo'), onClick: undo } });
  };

  const fail = (error: unknown, review: Review): void => {
    const { movedCount, cause } = error instanceof StoppedReviewError ? error : { movedCount: 0, cause: error };
    const hasGroupChanged = cause instanceof ApiError && cause.code === 'CONFLICT';
    const reason = hasGroupChanged ? t('joined') : t(`collections:actions.failed.${classifyFailure(cause)}`);
    if (movedCount > 0 && review.name === 'resolve') offerUndo(t('stopped', { count: movedCount }), reason);
    else toasts.add({ title: reason, priority: 'high' });
  };

  const restoreItems = async (): Promise<void> => {
    toasts.add({ id: `restoring-${id}`, title: t('restoring') });
    try {
      await sendReview(group, { name: 'restore' });
      toasts.add({ title: t('takenBack') });
    } catch (error) {
      fail(error, { name: 'restore' });
    } finally {
      toasts.close(`restoring-${id}`);
      void client.invalidateQueries({ queryKey: ['duplicates'] });
      refresh();
    }
  };

  return useMutation({
    mutationFn: (review: Review) => sendReview(group, review),
    onError: (error, review) => {
      fail(error, review);
      void refetchGroup(client, id);
    },
    onSuccess: (movedCount, { name }) => {
      if (name === 'restore') toasts.add({ title: t('takenBack') });
      else offerUndo(name === 'dismiss' ? t('dismissed') : t('resolved', { count: movedCount }));
      // The group stays in the list if only part of it was reviewed, or if another photo has joined it since the review.
      if (name === 'restore' && !group.reviewed) return void refetchGroup(client, id);
      onDone?.();
      replaceGroup(client, id, undefined);
    },
    onSettled: refresh,
  });
};
