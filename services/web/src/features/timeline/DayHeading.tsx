import { Check } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelectedCount, useSelectionStore } from '../../components/selection/Selection.tsx';
import styles from './DayHeading.module.css';
import type { SectionGrid } from './layout/sectionGrid.ts';
import type { DayLayout } from './layout/sectionLayout.ts';
import { getRelativeDay, timelineDates } from './layout/timelineDates.ts';

export const DayHeading = (props: {
  readonly grid: SectionGrid;
  readonly day: DayLayout;
  readonly date: string;
  readonly places: readonly string[];
}) => {
  const { t, i18n } = useTranslation('library');
  const { day, date, places, grid } = props;
  const ids = useMemo(() => grid.ids.slice(day.first, day.end), [grid, day]);
  const selection = useSelectionStore();
  const isSelected = useSelectedCount(ids) === ids.length;
  const dates = timelineDates(i18n.language);
  const relativeDay = getRelativeDay(date);
  const name = relativeDay === undefined ? dates.day(date) : t(relativeDay);
  return (
    <div className={styles['heading']} style={{ left: day.left, top: day.top, width: day.width }}>
      <h3 className={styles['text']} title={[dates.fullDay(date), ...places].join(' · ')}>
        <span className={styles['date']}>{name}</span>
        {places.map((place) => (
          <span key={place} className={styles['place']}>
            {' '}
            {place}
          </span>
        ))}
      </h3>
      <button
        type="button"
        role="checkbox"
        aria-checked={isSelected}
        aria-label={t('selectDay', { date: dates.fullDay(date) })}
        className={styles['select']}
        onClick={() => selection.get().setSelected(ids, !isSelected)}
      >
        <span className={styles['ring']}>
          <Check aria-hidden size={14} strokeWidth={3} />
        </span>
      </button>
    </div>
  );
};
