import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { FolderHeart, FolderX, ImagePlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Album } from '@hearth/contract/albums.ts';
import { ApiError } from '../../lib/api/apiError.ts';
import { listKeys } from '../../lib/changes/listKeys.ts';
import { MediaCollection } from '../../components/viewer/MediaCollection.tsx';
import { useMediaSource, type MediaSource } from '../../lib/items/mediaSource.ts';
import { Button } from '../../components/controls/Button.tsx';
import { EmptyState } from '../../components/page/EmptyState.tsx';
import { useDocumentTitle } from '../../lib/browser/useDocumentTitle.ts';
import { AddPhotosDialog } from './AddPhotosDialog.tsx';
import { AlbumHeader } from './AlbumHeader.tsx';
import { albumById, listAlbumItems } from './queries.ts';
import { ShareDialog } from './ShareDialog.tsx';
import { useAlbumCover } from '../../components/actions/useAlbumCover.ts';
import { ChooseCoverDialog } from '../../components/selection/ChooseCoverDialog.tsx';

const route = getRouteApi('/app/albums/$albumId');

export const AlbumPage = () => {
  const { t } = useTranslation('albums');
  const { albumId } = route.useParams();
  const { data: album, error } = useQuery(albumById(albumId, useQueryClient()));
  const source = useMediaSource(listKeys.album(albumId), listAlbumItems(albumId));
  const [open, setOpen] = useState<'add' | 'share' | 'cover'>();
  useDocumentTitle(album?.name);
  const close = (): void => setOpen(undefined);

  if (error instanceof ApiError && error.code === 'NOT_FOUND')
    return (
      <EmptyState isPage icon={FolderX} title={t('gone.title')} action={<Link to="/albums">{t('toAll')}</Link>}>
        <p>{t('gone.text')}</p>
      </EmptyState>
    );
  if (album === undefined) {
    if (error !== null) throw error;
    return null;
  }
  if (source.error !== null && source.items.length === 0) throw source.error;
  return (
    <>
      <AlbumHeader
        album={album}
        onAdd={() => setOpen('add')}
        onShare={() => setOpen('share')}
        onChooseCover={() => setOpen('cover')}
      />
      <MediaCollection
        source={source}
        label={album.name}
        kind={{ name: 'album', albumId }}
        empty={
          <EmptyState
            icon={FolderHeart}
            title={t('empty.title')}
            action={
              <Button variant="primary" onClick={() => setOpen('add')}>
                <ImagePlus aria-hidden size={20} />
                {t('addPhotos.action')}
              </Button>
            }
          >
            <p>{t('empty.text')}</p>
          </EmptyState>
        }
      />
      {open === 'add' && <AddPhotosDialog album={album} items={source.items} onClose={close} />}
      {open === 'share' && <ShareDialog album={album} onClose={close} />}
      {open === 'cover' && <CoverDialog album={album} source={source} onClose={close} />}
    </>
  );
};

const CoverDialog = (props: { readonly album: Album; readonly source: MediaSource; readonly onClose: () => void }) => {
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
