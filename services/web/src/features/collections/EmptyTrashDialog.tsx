import { Progress } from '@base-ui/react/progress';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { classifyFailure } from '../../lib/changes/classifyFailure.ts';
import { useItemActions } from '../../components/actions/useItemActions.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Dialog } from '../../components/overlays/Dialog.tsx';
import { toasts } from '../../components/overlays/toasts.ts';
import styles from './EmptyTrashDialog.module.css';
import { callPage } from '../../lib/api/client.ts';

/** Dialog that empties the trash after confirmation. Shows the progress and can be stopped. */
export const EmptyTrashDialog = ({ count, onClose }: { readonly count: number; readonly onClose: () => void }) => {
  const { t } = useTranslation('collections');
  const { removeForGood } = useItemActions();
  const [progress, setProgress] = useState<{ readonly done: number; readonly total: number }>();
  const ending = useRef<AbortController>(undefined);
  useEffect(() => () => ending.current?.abort(), []);

  const empty = async (): Promise<void> => {
    const { signal } = (ending.current = new AbortController());
    setProgress({ done: 0, total: count });
    try {
      const ids = await listTrashIds(signal);
      await removeForGood(ids, { signal, onProgress: (done) => setProgress({ done, total: ids.length }) });
    } catch (error) {
      if (!signal.aborted) toasts.add({ title: t(`actions.failed.${classifyFailure(error)}`), priority: 'high' });
    }
    onClose();
  };

  if (progress === undefined)
    return (
      <Dialog
        isOpen
        onClose={onClose}
        title={t('emptyTrash.title', { count })}
        actions={
          <>
            <Button variant="quiet" onClick={onClose}>
              {t('cancel', { ns: 'common' })}
            </Button>
            <Button variant="danger" onClick={() => void empty()}>
              {t('emptyTrash.confirm')}
            </Button>
          </>
        }
      >
        <p>{t('removeForGood.text')}</p>
      </Dialog>
    );
  return (
    <Dialog
      isOpen
      onClose={() => ending.current?.abort()}
      title={t('emptyTrash.running')}
      actions={<Button onClick={() => ending.current?.abort()}>{t('emptyTrash.stop')}</Button>}
    >
      <Progress.Root className={styles['progress']} value={progress.done} max={Math.max(1, progress.total)}>
        <Progress.Label>{t('emptyTrash.progress', { done: progress.done, count: progress.total })}</Progress.Label>
        <Progress.Track className={styles['track']}>
          <Progress.Indicator className={styles['indicator']} />
        </Progress.Track>
      </Progress.Root>
    </Dialog>
  );
};

/** Lists the ids of all items in the trash. @throws ApiError */
const listTrashIds = async (signal: AbortSignal): Promise<readonly string[]> => {
  const ids: string[] = [];
  let next: string | undefined;
  do {
    const page = await callPage('GET /v1/trash', { query: { limit: 200 }, next, signal });
    ids.push(...page.items.map(({ id }) => id));
    next = page.next;
  } while (next !== undefined);
  return ids;
};
