import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { GridItem } from '../../lib/items/gridItem.ts';
import styles from './OnThisDay.module.css';
import { callPage } from '../../lib/api/client.ts';
import { useMediaSource, type MediaSource } from '../../lib/items/mediaSource.ts';

/** One card per earlier year with photos of this day. */
export const OnThisDay = () => {
  const { t } = useTranslation('explore');
  const [thisYear] = useState(() => new Date().getFullYear());
  const { items } = useYearsAgo();
  const years = listFirstOfYears(items);
  if (years.length === 0) return null;
  return (
    <section aria-label={t('onThisDay')} className={styles['section']}>
      <h2>{t('onThisDay')}</h2>
      <ul className={styles['years']}>
        {years.map(({ id, day, thumbnailUrl }) => (
          <li key={id}>
            <Link to="/on-this-day" search={{ item: id }} className={styles['year']}>
              {thumbnailUrl !== undefined && <img src={thumbnailUrl} alt="" />}
              <span className={styles['caption']}>{t('yearsAgo', { count: thisYear - Number(day.slice(0, 4)) })}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
};

function listFirstOfYears(items: readonly GridItem[]): readonly GridItem[] {
  return [...Map.groupBy(items, ({ day }) => day.slice(0, 4)).values()].flatMap(([first]) => first ?? []);
}

/** Items taken on this day in earlier years. */
export const useYearsAgo = (): MediaSource => {
  const [monthDate] = useState(() => formatMonthDate(new Date()));
  return useMediaSource(['mediaItems', 'yearsAgo', monthDate], (next, signal) =>
    callPage('GET /v1/yearsAgo/{monthDate}/mediaItems', { params: { monthDate }, query: { limit: 100 }, next, signal }),
  );
};

/** Formats month and day for the API: `0403`. */
const formatMonthDate = (date: Date): string =>
  String(date.getMonth() + 1).padStart(2, '0') + String(date.getDate()).padStart(2, '0');
