import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { GridItem } from '../../lib/items/gridItem.ts';
import { useYearsAgo } from './useYearsAgo.ts';
import styles from './OnThisDay.module.css';

/** One card for each earlier year in which something was taken on this day; nothing where there is none. */
export const OnThisDay = () => {
  const { t } = useTranslation('explore');
  const [thisYear] = useState(() => new Date().getFullYear());
  const { items } = useYearsAgo();
  const years = firstOfEachYear(items);
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

function firstOfEachYear(items: readonly GridItem[]): readonly GridItem[] {
  return [...Map.groupBy(items, ({ day }) => day.slice(0, 4)).values()].flatMap(([first]) => first ?? []);
}
