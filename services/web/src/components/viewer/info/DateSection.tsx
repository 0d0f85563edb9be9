import { CalendarDays } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { formatLocale } from '../../../lib/i18n/formatLocale.ts';
import { longDay, timeWithZone } from '../item/takenAt.ts';
import type { ViewedItem } from '../item/viewedItem.ts';
import { InfoRow } from './InfoRow.tsx';
import styles from './InfoRow.module.css';

/** When the item was taken, by the local time of the place where it was taken. */
export const DateSection = ({ item }: { readonly item: ViewedItem }) => {
  const { t, i18n } = useTranslation('viewer');
  const locale = formatLocale(i18n.language);
  return (
    <InfoRow icon={CalendarDays} label={t('info.date')}>
      <p>{longDay(item.localTime, locale)}</p>
      <p className={styles['muted']}>{timeWithZone(item, locale)}</p>
    </InfoRow>
  );
};
