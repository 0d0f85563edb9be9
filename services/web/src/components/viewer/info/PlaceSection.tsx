import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MapPin } from 'lucide-react';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useFeatures } from '../../../lib/api/useFeatures.ts';
import { formatLocale } from '../../../lib/i18n/formats.ts';
import type { ViewedItem } from '../item/viewedItem.ts';
import { itemPlacesQuery } from './infoQueries.ts';
import { InfoRow } from './InfoRow.tsx';
import styles from './InfoRow.module.css';
import { lazyComponent } from '../../../lib/browser/lazyComponent.ts';

const PositionMap = lazyComponent('PositionMap', () => import('../../map/PositionMap.tsx'));

export const PlaceSection = ({ id, item }: { readonly id: string; readonly item: ViewedItem }) => {
  const { t, i18n } = useTranslation('viewer');
  const { latitude, longitude } = item;
  const hasPosition = latitude !== undefined && longitude !== undefined;
  const features = useFeatures();
  const { data: places } = useQuery({ ...itemPlacesQuery(id), enabled: hasPosition && features?.places === true });
  if (!hasPosition) return null;
  const degrees = (value: number): string =>
    new Intl.NumberFormat(formatLocale(i18n.language), { minimumFractionDigits: 4, maximumFractionDigits: 4 }).format(
      Math.abs(value),
    );
  return (
    <InfoRow icon={MapPin} label={t('info.place')}>
      {places?.map((place) => (
        <p key={place.id}>
          <Link to="/places/$id" params={{ id: place.id }}>
            {[...new Set([place.name, place.state, place.country])].filter((name) => name !== undefined).join(', ')}
          </Link>
        </p>
      ))}
      <p className={styles['muted']}>
        {t(latitude < 0 ? 'info.south' : 'info.north', { degrees: degrees(latitude) })}
        {', '}
        {t(longitude < 0 ? 'info.west' : 'info.east', { degrees: degrees(longitude) })}
      </p>
      <Suspense>
        <PositionMap latitude={latitude} longitude={longitude} />
      </Suspense>
    </InfoRow>
  );
};
