import type { DuplicateGroup } from '@hearth/contract/duplicates.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../lib/api/apiError.ts';
import { failureOf } from '../../lib/changes/failureOf.ts';
import { refreshAfter } from '../../lib/changes/listKeys.ts';
import { toasts } from '../../components/overlays/toasts.ts';
import { readGroupAnew, replaceGroup } from './queries.ts';
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
      void takeBack();
    };
    const toast = toasts.add({ title, description, actionProps: { children: t('common:undo'), onClick: undo } });
  };

  const fail = (error: unknown, review: Review): void => {
    const { moved, cause } = error instanceof StoppedReviewError ? error : { moved: 0, cause: error };
    const hasJoined = cause instanceof ApiError && cause.code === 'CONFLICT';
    const why = hasJoined ? t('joined') : t(`collections:actions.failed.${failureOf(cause)}`);
    if (moved > 0 && review.name === 'resolve') offerUndo(t('stopped', { count: moved }), why);
    else toasts.add({ title: why, priority: 'high' });
  };

  const takeBack = async (): Promise<void> => {
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
      void readGroupAnew(client, id);
    },
    onSuccess: (moved, { name }) => {
      if (name === 'restore') toasts.add({ title: t('takenBack') });
      else offerUndo(name === 'dismiss' ? t('dismissed') : t('resolved', { count: moved }));
      // After undoing a partial review, or one that another photo has joined since, the group stays in the list.
      if (name === 'restore' && !group.reviewed) return void readGroupAnew(client, id);
      onDone?.();
      replaceGroup(client, id, undefined);
    },
    onSettled: refresh,
  });
};
