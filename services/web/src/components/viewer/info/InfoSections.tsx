import { FileImage, ChevronDown, TextSelect, Tag, Album, Camera, CalendarDays } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { TextLine } from '@hearth/contract/mediaItem.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatBytes, formatDuration, formatLocale } from '../../../lib/i18n/formats.ts';
import type { ViewedItem } from '../item/viewedItem.ts';
import { InfoRow } from './InfoRow.tsx';
import styles from './InfoRow.module.css';
import folded from './FoldedSection.module.css';
import { useFeatures } from '../../../lib/api/useFeatures.ts';
import { itemThingsQuery, itemAlbumsQuery } from './infoQueries.ts';
import { formatCameraName, formatExposure } from '../item/camera.ts';
import { formatLongDay, formatTimeWithZone } from '../item/formatTakenAt.ts';

/** Capture time in the local time of the place. */
export const DateSection = ({ item }: { readonly item: ViewedItem }) => {
  const { t, i18n } = useTranslation('viewer');
  const locale = formatLocale(i18n.language);
  return (
    <InfoRow icon={CalendarDays} label={t('info.date')}>
      <p>{formatLongDay(item.localTime, locale)}</p>
      <p className={styles['muted']}>{formatTimeWithZone(item, locale)}</p>
    </InfoRow>
  );
};

export const CameraSection = ({ item }: { readonly item: ViewedItem }) => {
  const { t, i18n } = useTranslation('viewer');
  const camera = formatCameraName(item);
  const exposure = formatExposure(item, formatLocale(i18n.language));
  if (camera === undefined && exposure.length === 0) return null;
  return (
    <InfoRow icon={Camera} label={t('info.camera')}>
      {camera !== undefined && <p>{camera}</p>}
      {exposure.length > 0 && <p className={styles['muted']}>{exposure.join('  ·  ')}</p>}
    </InfoRow>
  );
};

export const FileSection = ({ item }: { readonly item: ViewedItem }) => {
  const { t, i18n } = useTranslation('viewer');
  const locale = formatLocale(i18n.language);
  const number = (value: number): string => new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(value);
  const { width, height, megapixels, sizeBytes, durationSeconds, fps } = item;
  const facts = [
    width !== undefined && height !== undefined && `${width} × ${height}`,
    megapixels !== undefined && megapixels >= 0.1 && t('info.megapixels', { number: number(megapixels) }),
    sizeBytes !== undefined && formatBytes(sizeBytes, locale),
    durationSeconds !== undefined && formatDuration(durationSeconds),
    fps !== undefined && t('info.fps', { number: number(fps) }),
  ].filter((fact) => fact !== false);
  if (facts.length === 0 && item.filename === undefined) return null;
  return (
    <InfoRow icon={FileImage} label={t('info.file')}>
      {item.filename !== undefined && <p>{item.filename}</p>}
      <p className={styles['muted']}>{facts.join('  ·  ')}</p>
    </InfoRow>
  );
};

/** Longer texts are collapsed, so that a page of a book does not push the other sections out of view. */
const maxOpenLines = 6;

/** Text recognized in the picture. */
export const TextSection = ({ lines }: { readonly lines: readonly TextLine[] }) => {
  const { t } = useTranslation('viewer');
  return (
    <InfoRow icon={TextSelect} label={t('info.text')}>
      <details className={folded['details']} open={lines.length <= maxOpenLines}>
        <summary className={folded['summary']}>
          {t('info.text')}
          <ChevronDown aria-hidden size={20} className={folded['chevron']} />
        </summary>
        <p className={folded['text']}>{lines.map(({ text }) => text).join('\n')}</p>
      </details>
    </InfoRow>
  );
};

/** Things recognized in the picture. */
export const ThingsSection = ({ id }: { readonly id: string }) => {
  const { t } = useTranslation('viewer');
  const features = useFeatures();
  const { data: things } = useQuery({ ...itemThingsQuery(id), enabled: features?.things === true });
  if (things === undefined || things.length === 0) return null;
  return (
    <InfoRow icon={Tag} label={t('info.things')}>
      <ul className={styles['links']}>
        {things.map((thing) => (
          <li key={thing.id}>
            <Link to="/things/$id" params={{ id: thing.id }} className={styles['chip']}>
              {thing.name}
            </Link>
          </li>
        ))}
      </ul>
    </InfoRow>
  );
};

export const AlbumsSection = ({ id }: { readonly id: string }) => {
  const { t } = useTranslation('viewer');
  const features = useFeatures();
  const { data: albums } = useQuery({ ...itemAlbumsQuery(id), enabled: features?.albums === true });
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
