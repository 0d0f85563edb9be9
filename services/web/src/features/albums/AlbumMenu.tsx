import type { Album } from '@hearth/contract/albums.ts';
import { useNavigate } from '@tanstack/react-router';
import { Ellipsis, Eye, EyeOff, ImageUp, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/overlays/ConfirmDialog.tsx';
import { IconButton } from '../../components/controls/IconButton.tsx';
import { Menu } from '../../components/overlays/Menu.tsx';
import { useAlbumChanges } from './useAlbumChanges.ts';

export const AlbumMenu = ({ album, onChooseCover }: { readonly album: Album; readonly onChooseCover: () => void }) => {
  const { t } = useTranslation('albums');
  const { update, remove } = useAlbumChanges();
  const navigate = useNavigate();
  const [isDeleting, setIsDeleting] = useState(false);
  const handleDelete = async (): Promise<void> => {
    if (await remove(album)) await navigate({ to: '/albums', replace: true });
  };
  return (
    <>
      <Menu
        trigger={<IconButton icon={Ellipsis} label={t('menu.label')} />}
        items={[
          ...(album.mediaItemsCount > 0 ? [{ label: t('menu.cover'), icon: ImageUp, onSelect: onChooseCover }] : []),
          album.hidden
            ? {
                label: t('menu.show'),
                icon: Eye,
                onSelect: () => void update(album, { hidden: false }, t('menu.shown')),
              }
            : {
                label: t('menu.hide'),
                icon: EyeOff,
                onSelect: () => void update(album, { hidden: true }, t('menu.hidden')),
              },
          { label: t('menu.delete'), icon: Trash2, isDanger: true, onSelect: () => setIsDeleting(true) },
        ]}
      />
      <ConfirmDialog
        isOpen={isDeleting}
        title={t('delete.title', { name: album.name })}
        confirm={t('delete.confirm')}
        onConfirm={() => void handleDelete()}
        onClose={() => setIsDeleting(false)}
      >
        <p>{album.shared ? t('delete.textShared') : t('delete.text')}</p>
      </ConfirmDialog>
    </>
  );
};
