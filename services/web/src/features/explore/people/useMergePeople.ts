import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../lib/api/client.ts';
import { toasts } from '../../../components/overlays/toasts.ts';

/** Merges people and shows the outcome in a toast with undo. */
export const useMergePeople = (onMerged?: () => void) => {
  const { t } = useTranslation('explore');
  const queryClient = useQueryClient();
  const sharedCallbacks = {
    onError: () => toasts.add({ title: t('failed.title', { ns: 'common' }) }),
    onSettled: () => queryClient.invalidateQueries(),
  };
  const separation = useMutation({
    mutationFn: (merge: Merge) => call('DELETE /v1/explore/people/{id}/merge', toRequest(merge)),
    onSuccess: () => toasts.add({ title: t('separated') }),
    ...sharedCallbacks,
  });
  return useMutation({
    mutationFn: (merge: Merge) => call('POST /v1/explore/people/{id}/merge', toRequest(merge)),
    onSuccess: (_, merge) => {
      const undo = (): void => {
        toasts.close(toast);
        separation.mutate(merge);
      };
      const actionProps = { children: t('undo', { ns: 'common' }), onClick: undo };
      const toast = toasts.add({ title: t('merged'), actionProps });
      onMerged?.();
    },
    ...sharedCallbacks,
  });
};

interface Merge {
  readonly keptId: string;
  readonly others: readonly string[];
}

const toRequest = ({ keptId, others }: Merge) => ({ params: { id: keptId }, body: { people: [...others] } });
