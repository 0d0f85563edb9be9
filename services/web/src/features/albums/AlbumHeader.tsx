import type { Album } from '@hearth/contract/albums.ts';
import { useQuery } from '@tanstack/react-query';
import { ImagePlus, Link2, Share2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useFeatures } from '../../lib/api/useFeatures.ts';
import { Button } from '../../components/controls/Button.tsx';
import { PageHeader } from '../../components/page/PageHeader.tsx';
import styles from './AlbumHeader.module.css';
import { AlbumMenu } from './AlbumMenu.tsx';
import { EditableText } from './EditableText.tsx';
import { albumPeriod } from './queries.ts';
import { useAlbumChanges } from './useAlbumChanges.ts';

export const AlbumHeader = (props: {
  readonly album: Album;
  readonly onAdd: () => void;
  readonly onShare: () => void;
  readonly onChooseCover: () => void;
}) => {
  const { album } = props;
  const { t, i18n } = useTranslation('albums');
  const { update } = useAlbumChanges();
  const features = useFeatures();
  const { data: period } = useQuery(albumPeriod(album));
  return (
    <PageHeader
      title={
        <EditableText
          value={album.name}
          label={t('name')}
          editLabel={t('rename')}
          maxLength={255}
          onChange={(name) => name !== '' && void update(album, { name }, t('renamed'))}
        />
      }
      actions={
        <>
          <Button onClick={props.onAdd}>
            <ImagePlus aria-hidden size={20} />
            {t('addPhotos.action')}
          </Button>
          {features?.sharing !== false && (
            <Button onClick={props.onShare}>
              {album.shared ? <Link2 aria-hidden size={20} /> : <Share2 aria-hidden size={20} />}
              {album.shared ? t('shared') : t('share.action')}
            </Button>
          )}
        </>
      }
      menu={<AlbumMenu album={album} onChooseCover={props.onChooseCover} />}
    >
      <p className={styles['facts']}>
        <span>{t('count', { count: album.mediaItemsCount })}</span>
        {period !== undefined && period !== null && (
          <span>{formatPeriod(period.first, period.last, i18n.language)}</span>
        )}
        {album.hidden && <span>{t('isHidden')}</span>}
      </p>
      <EditableText
        value={album.description ?? ''}
        label={t('description.label')}
        editLabel={t('description.edit')}
        placeholder={t('description.none')}
        maxLength={4096}
        isLong
        onChange={(description) =>
          void update(album, { description: description === '' ? null : description }, t('description.changed'))
        }
      />
    </PageHeader>
  );
};

/**
 * Formats the period between two local times without a zone: `3–9 April 2022`, or a single day. Periods of more than a
 * year show only months.
 */
export const formatPeriod = (first: string, last: string, language: string): string => {
  const [from, to] = [toDate(first), toDate(last)];
  const isLong = to.getTime() - from.getTime() > 366 * 86_400_000;
  const format = new Intl.DateTimeFormat(language, {
    timeZone: 'UTC',
    year: 'numeric',
    month: 'long',
    ...(isLong ? {} : { day: 'numeric' }),
  });
  return format.formatRange(from, to);
};

function toDate(localTime: string): Date {
  return new Date(`${localTime.slice(0, 10)}T00:00:00Z`);
}
