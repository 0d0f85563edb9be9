import type { User } from '@hearth/contract/users.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../lib/i18n/formats.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Dialog } from '../../components/overlays/Dialog.tsx';
import { TextField } from '../../components/controls/TextField.tsx';
import { toasts } from '../../components/overlays/toasts.ts';
import { adminKey } from './queries.ts';
import { useAdmin } from './adminClient.ts';

/** Deletes an account and its library permanently. Requires typing the user name. */
export const DeleteUserDialog = ({ user, onClose }: { readonly user: User; readonly onClose: () => void }) => {
  const { t, i18n } = useTranslation('admin');
  const client = useAdmin();
  const queryClient = useQueryClient();
  const formId = useId();
  const [typed, setTyped] = useState('');
  const isConfirmed = typed.trim() === user.username;
  const remove = useMutation({
    mutationFn: () => client.call('DELETE /v1/users/{id}', { params: { id: user.id } }),
    onSuccess: async () => {
      onClose();
      toasts.add({ title: t('deleted', { name: user.name }) });
      await queryClient.invalidateQueries({ queryKey: adminKey });
    },
    onError: () => toasts.add({ title: t('failed.title', { ns: 'common' }) }),
  });
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (isConfirmed) remove.mutate();
  };

  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('deleteTitle', { name: user.name })}
      actions={
        <>
          <Button variant="quiet" onClick={onClose}>
            {t('cancel', { ns: 'common' })}
          </Button>
          <Button
            type="submit"
            form={formId}
            variant="danger"
            disabled={!isConfirmed || remove.isPending}
            focusableWhenDisabled
          >
            {t('deleteConfirm')}
          </Button>
        </>
      }
    >
      <p>{t('deleteText', { name: user.name, used: formatBytes(user.usedBytes, i18n.language) })}</p>
      <form id={formId} onSubmit={handleSubmit}>
        <TextField
          label={t('deleteType', { username: user.username })}
          autoComplete="off"
          autoCapitalize="none"
          value={typed}
          onValueChange={setTyped}
        />
      </form>
    </Dialog>
  );
};
