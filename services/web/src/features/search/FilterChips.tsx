import { useQuery } from '@tanstack/react-query';
import { Heart, Image, Video, type LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Filters } from './filterFound.ts';
import styles from './FilterChips.module.css';
import { timelineMonthsQuery } from './timelineMonthsQuery.ts';

/** Which of what was found is shown: photos or videos, favourites, one year. */
export const FilterChips = (props: { readonly filters: Filters; readonly onChange: (filters: Filters) => void }) => {
  const { t } = useTranslation('search');
  const { filters, onChange } = props;
  const { data: months = [] } = useQuery(timelineMonthsQuery);
  const years = new Set(months.map(({ date }) => Number(date.slice(0, 4))));
  if (filters.year !== undefined) years.add(filters.year);
  const toggleType = (type: 'photo' | 'video'): void =>
    onChange({ ...filters, type: filters.type === type ? undefined : type });
  return (
    <div role="group" aria-label={t('filters')} className={styles['chips']}>
      <Chip icon={Image} isOn={filters.type === 'photo'} onToggle={() => toggleType('photo')}>
        {t('filter.photos')}
      </Chip>
      <Chip icon={Video} isOn={filters.type === 'video'} onToggle={() => toggleType('video')}>
        {t('filter.videos')}
      </Chip>
      <Chip
        icon={Heart}
        isOn={filters.favourites === true}
        onToggle={() => onChange({ ...filters, favourites: filters.favourites === true ? undefined : true })}
      >
        {t('filter.favourites')}
      </Chip>
      <select
        aria-label={t('filter.year')}
        className={styles['chip']}
        data-on={filters.year !== undefined || undefined}
        value={filters.year ?? ''}
        onChange={({ target }) =>
          onChange({ ...filters, year: target.value === '' ? undefined : Number(target.value) })
        }
      >
        <option value="">{t('filter.anyYear')}</option>
        {[...years]
          .toSorted((a, b) => b - a)
          .map((year) => (
            <option key={year} value={year}>
              {year}
            </option>
          ))}
      </select>
    </div>
  );
};

const Chip = (props: {
  readonly icon: LucideIcon;
  readonly isOn: boolean;
  readonly onToggle: () => void;
  readonly children: string;
}) => {
  const { icon: Icon, isOn } = props;
  return (
    <button
      type="button"
      aria-pressed={isOn}
      data-on={isOn || undefined}
      className={styles['chip']}
      onClick={props.onToggle}
    >
      <Icon aria-hidden size={18} strokeWidth={1.75} />
      {props.children}
    </button>
  );
};
