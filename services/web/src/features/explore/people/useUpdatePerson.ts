import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../lib/api/client.ts';
import { toasts } from '../../../components/overlays/toasts.ts';

export const useUpdatePerson = (
  id: string,
): { readonly rename: (name: string | null) => void; readonly hide: (isHidden: boolean) => void } => {
  const { t } = useTranslation('explore');
  const queryClient = useQueryClient();
  const mutation = useMutation({
    mutationFn: (body: { readonly name?: string | null; readonly hidden?: boolean }) =>
      call('PUT /v1/explore/people/{id}', { params: { id }, body }),
    onError: () => toasts.add({ title: t('failed.title', { ns: 'common' }) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['people'] }),
  });
  const hide = (hidden: boolean): void =>
    mutation.mutate(
      { hidden },
      {
        onSuccess: () =>
          toasts.add({
            title: hidden ? t('personIsHidden') : t('personIsShown'),
            actionProps: { children: t('undo', { ns: 'common' }), onClick: () => hide(!hidden) },
          }),
      },
    );
  return { rename: (name) => mutation.mutate({ name }), hide };
};
