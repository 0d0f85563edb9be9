import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useId, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../lib/api/client.ts';
import { classifyFailure } from '../../lib/changes/classifyFailure.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Dialog } from '../../components/overlays/Dialog.tsx';
import { TextField } from '../../components/controls/TextField.tsx';

export const NewAlbumDialog = ({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) => {
  const { t } = useTranslation('albums');
  const client = useQueryClient();
  const navigate = useNavigate();
  const formId = useId();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);

  const handleSubmit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get('name');
    const name = typeof typed === 'string' ? typed.trim() : '';
    if (name === '' || isBusy) return;
    setIsBusy(true);
    setProblem(undefined);
    try {
      const album = await call('POST /v1/albums', { body: { name } });
      client.setQueryData(['albums', album.id], album);
      void client.invalidateQueries({ queryKey: ['albums'] });
      onClose();
      await navigate({ to: '/albums/$albumId', params: { albumId: album.id } });
    } catch (error) {
      setProblem(t(`actions.failed.${classifyFailure(error)}`, { ns: 'collections' }));
    } finally {
      setIsBusy(false);
    }
  };

  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('new.title')}
      actions={
        <>
          <Button variant="quiet" onClick={onClose}>
            {t('cancel', { ns: 'common' })}
          </Button>
          <Button variant="primary" type="submit" form={formId} disabled={isBusy} focusableWhenDisabled>
            {t('new.create')}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={(event) => void handleSubmit(event)}>
        <TextField label={t('name')} name="name" required maxLength={255} autoComplete="off" error={problem} />
      </form>
    </Dialog>
  );
};
