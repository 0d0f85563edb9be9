import type { Album } from '@hearth/contract/albums.ts';
import { Link } from '@tanstack/react-router';
import { FolderHeart, Link2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import styles from './AlbumCard.module.css';

export const AlbumCard = ({ album }: { readonly album: Album }) => {
  const { t } = useTranslation('albums');
  const cover = album.coverMediaItem?.thumbnailUrl;
  return (
    <Link to="/albums/$albumId" params={{ albumId: album.id }} className={styles['card']}>
      <span className={styles['cover']}>
        {cover === undefined ? (
          <FolderHeart aria-hidden size={44} strokeWidth={1.25} />
        ) : (
          <img src={cover} alt="" loading="lazy" decoding="async" />
        )}
        {album.shared && (
          <span className={styles['shared']}>
            <Link2 aria-hidden size={16} />
            {t('shared')}
          </span>
        )}
      </span>
      <span className={styles['name']}>{album.name}</span>
      <span className={styles['count']}>{t('count', { count: album.mediaItemsCount })}</span>
    </Link>
  );
};
