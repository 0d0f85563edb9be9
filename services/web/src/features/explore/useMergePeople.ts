import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/client.ts';
import { toasts } from '../../ui/toasts.ts';

/** Makes one person of several; says by a toast whether it was done. This cannot be undone, so ask before. */
export const useMergePeople = (onMerged?: () => void) => {
  const { t } = useTranslation('explore');
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ stays, others }: { readonly stays: string; readonly others: readonly string[] }) =>
      call('POST /v1/explore/people/{id}/merge', { params: { id: stays }, body: { people: [...others] } }),
    onSuccess: () => {
      toasts.add({ title: t('merged') });
      onMerged?.();
    },
    onError: () => toasts.add({ title: t('failed.title', { ns: 'common' }) }),
    onSettled: () => queryClient.invalidateQueries(),
  });
};
