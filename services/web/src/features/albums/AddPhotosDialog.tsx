import type { Album } from '@hearth/contract/albums.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useItemActions } from '../../components/actions/useItemActions.ts';
import { ItemPicker } from '../../components/selection/ItemPicker.tsx';
import { useMediaSource, type MediaSource } from '../../lib/items/mediaSource.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Dialog } from '../../components/overlays/Dialog.tsx';
import { listLibrary } from './queries.ts';

/** Dialog to choose items of the library for an album. Disables items that are in the loaded part of the album. */
export const AddPhotosDialog = ({
  album,
  items,
  onClose,
}: {
  readonly album: Album;
  readonly items: MediaSource['items'];
  readonly onClose: () => void;
}) => {
  const { t } = useTranslation('albums');
  const { run } = useItemActions();
  const source = useMediaSource(['mediaItems', 'all'], listLibrary);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [taken] = useState(() => new Set(items.map(({ id }) => id)));
  const add = (): void => {
    void run({ name: 'addToAlbum', albumId: album.id, albumName: album.name }, [...chosen]);
    onClose();
  };
  return (
    <Dialog
      isOpen
      isWide
      onClose={onClose}
      title={t('addPhotos.title', { name: album.name })}
      actions={
        <>
          <Button variant="quiet" onClick={onClose}>
            {t('cancel', { ns: 'common' })}
          </Button>
          <Button variant="primary" onClick={add} disabled={chosen.size === 0} focusableWhenDisabled>
            {chosen.size === 0 ? t('addPhotos.none') : t('addPhotos.add', { count: chosen.size })}
          </Button>
        </>
      }
    >
      <ItemPicker
        source={source}
        label={t('addPhotos.label')}
        chosen={chosen}
        isTaken={(id) => taken.has(id)}
        onToggle={(id) => setChosen((before) => before.symmetricDifference(new Set([id])))}
      />
    </Dialog>
  );
};
