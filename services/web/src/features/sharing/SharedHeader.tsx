import type { SharedAlbum } from '@hearth/contract/sharing.ts';
import { useQueryClient } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { classifyFailure } from '../../lib/changes/classifyFailure.ts';
import { useItemActions } from '../../components/actions/useItemActions.ts';
import { Button } from '../../components/controls/Button.tsx';
import { PageHeader } from '../../components/page/PageHeader.tsx';
import { toasts } from '../../components/overlays/toasts.ts';
import styles from './SharedAlbumPage.module.css';
import { findSharedFile, listSharedIds } from './sharedItems.ts';

export const SharedHeader = ({ album }: { readonly album: SharedAlbum }) => {
  const { t } = useTranslation('sharing');
  const client = useQueryClient();
  const { download } = useItemActions();
  const [isBusy, setIsBusy] = useState(false);
  const saveAll = async (): Promise<void> => {
    setIsBusy(true);
    try {
      const ids = await listSharedIds(album.id);
      await download(ids, (id) => findSharedFile(client, album.id, id));
    } catch (error) {
      toasts.add({ title: t(`actions.failed.${classifyFailure(error)}`, { ns: 'collections' }), priority: 'high' });
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <div className={styles['header']}>
      <PageHeader
        title={album.name}
        actions={
          album.mediaItemsCount > 0 && (
            <Button onClick={() => void saveAll()} disabled={isBusy} focusableWhenDisabled>
              <Download aria-hidden size={20} />
              {t('saveAll')}
            </Button>
          )
        }
      >
        {album.description !== undefined && <p className={styles['description']}>{album.description}</p>}
        <p>{t('count', { count: album.mediaItemsCount })}</p>
      </PageHeader>
    </div>
  );
};
