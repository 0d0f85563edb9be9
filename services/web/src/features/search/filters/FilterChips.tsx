import { Heart, Image, SlidersHorizontal, Video, type LucideIcon } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFeatures } from '../../../lib/api/useFeatures.ts';
import { lazyComponent } from '../../../lib/browser/lazyComponent.ts';
import styles from './FilterChips.module.css';
import { NamedFilters } from './NamedFilters.tsx';
import type { Filters } from '../address/searchAddress.ts';

const FilterDialog = lazyComponent('FilterDialog', () => import('./FilterDialog.tsx'));

/** Filter bar: toggles for common filters, removable chips for the others, and a button for the filter dialog. */
export const FilterChips = (props: { readonly filters: Filters; readonly onChange: (filters: Filters) => void }) => {
  const { t } = useTranslation('search');
  const features = useFeatures();
  const { filters, onChange } = props;
  const [isChoosing, setIsChoosing] = useState(false);
  const toggleType = (type: 'photo' | 'video'): void =>
    onChange({ ...filters, type: filters.type === type ? undefined : type });
  return (
    <div role="group" aria-label={t('filters')} className={styles['chips']}>
      <Toggle icon={Image} isOn={filters.type === 'photo'} onToggle={() => toggleType('photo')}>
        {t('filter.photos')}
      </Toggle>
      <Toggle icon={Video} isOn={filters.type === 'video'} onToggle={() => toggleType('video')}>
        {t('filter.videos')}
      </Toggle>
      {features?.favourites !== false && (
        <Toggle
          icon={Heart}
          isOn={filters.favourite === true}
          onToggle={() => onChange({ ...filters, favourite: filters.favourite === true ? undefined : true })}
        >
          {t('filter.favourites')}
        </Toggle>
      )}
      <NamedFilters filters={filters} onChange={onChange} />
      <button type="button" aria-haspopup="dialog" className={styles['chip']} onClick={() => setIsChoosing(true)}>
        <SlidersHorizontal aria-hidden size={18} strokeWidth={1.75} />
        {t('filter.more')}
      </button>
      {isChoosing && (
        <Suspense>
          <FilterDialog filters={filters} onChange={onChange} onClose={() => setIsChoosing(false)} />
        </Suspense>
      )}
    </div>
  );
};

const Toggle = (props: {
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
