import type { Album } from '@hearth/contract/albums.ts';
import { useTranslation } from 'react-i18next';
import { useAlbumCover } from '../../components/actions/useAlbumCover.ts';
import { ChooseCoverDialog } from '../../components/selection/ChooseCoverDialog.tsx';
import type { MediaSource } from '../../lib/items/mediaSource.ts';

/** Chooses an album's cover among what is in the album. */
export const CoverDialog = (props: {
  readonly album: Album;
  readonly source: MediaSource;
  readonly onClose: () => void;
}) => {
  const { t } = useTranslation('albums');
  const setCover = useAlbumCover();
  return (
    <ChooseCoverDialog
      words={{ title: t('cover.title'), label: t('cover.label'), automatic: t('cover.automatic') }}
      source={props.source}
      coverMediaItemId={props.album.coverMediaItem?.id}
      onChoose={(id) => void setCover(props.album.id, id)}
      onClose={props.onClose}
    />
  );
};
