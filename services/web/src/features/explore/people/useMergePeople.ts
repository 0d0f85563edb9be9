import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../lib/api/client.ts';
import { toasts } from '../../../components/overlays/toasts.ts';

/** Makes one person of several; says by a toast whether it was done, and how to take it back. */
export const useMergePeople = (onMerged?: () => void) => {
  const { t } = useTranslation('explore');
  const queryClient = useQueryClient();
  const ends = {
    onError: () => toasts.add({ title: t('failed.title', { ns: 'common' }) }),
    onSettled: () => queryClient.invalidateQueries(),
  };
  const separation = useMutation({
    mutationFn: (merge: Merge) => call('DELETE /v1/explore/people/{id}/merge', requestOf(merge)),
    onSuccess: () => toasts.add({ title: t('separated') }),
    ...ends,
  });
  return useMutation({
    mutationFn: (merge: Merge) => call('POST /v1/explore/people/{id}/merge', requestOf(merge)),
    onSuccess: (_, merge) => {
      const undo = (): void => {
        toasts.close(toast);
        separation.mutate(merge);
      };
      const actionProps = { children: t('undo', { ns: 'common' }), onClick: undo };
      const toast = toasts.add({ title: t('merged'), actionProps });
      onMerged?.();
    },
    ...ends,
  });
};

/** Who stays, and who goes up in that person. */
interface Merge {
  readonly stays: string;
  readonly others: readonly string[];
}

const requestOf = ({ stays, others }: Merge) => ({ params: { id: stays }, body: { people: [...others] } });
