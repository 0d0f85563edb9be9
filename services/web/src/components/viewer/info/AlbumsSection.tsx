import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Album } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useFeatures } from '../../../lib/api/useFeatures.ts';
import { albumsOfItem } from './infoQueries.ts';
import { InfoRow } from './InfoRow.tsx';
import styles from './InfoRow.module.css';

/** The albums that it is in. */
export const AlbumsSection = ({ id }: { readonly id: string }) => {
  const { t } = useTranslation('viewer');
  const features = useFeatures();
  const { data: albums } = useQuery({ ...albumsOfItem(id), enabled: features?.albums === true });
  if (albums === undefined || albums.length === 0) return null;
  return (
    <InfoRow icon={Album} label={t('info.albums')}>
      <ul className={styles['albums']}>
        {albums.map((album) => (
          <li key={album.id}>
            <Link to="/albums/$albumId" params={{ albumId: album.id }} className={styles['album']}>
              <img src={album.coverMediaItem?.thumbnailUrl} alt="" className={styles['cover']} />
              {album.name}
            </Link>
          </li>
        ))}
      </ul>
    </InfoRow>
  );
};
