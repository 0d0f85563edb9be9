import { useTranslation } from 'react-i18next';
import type { GridRow } from '../../components/grid/layout/justifiedRows.ts';
import { MediaRow } from '../../components/grid/MediaRow.tsx';
import type { RowContents } from '../../components/grid/layout/rowContents.ts';
import { DayHeading } from './DayHeading.tsx';
import styles from './SectionView.module.css';
import type { SectionGrid } from './layout/sectionGrid.ts';
import type { DayLayout } from './layout/sectionLayout.ts';
import { timelineDates } from './layout/timelineDates.ts';

/** Day of the timeline: its heading and its rows to render. It may share its first row with other days. */
export const DayView = (props: {
  readonly grid: SectionGrid;
  readonly day: DayLayout;
  readonly rows: readonly GridRow[];
  /** Index in the section of the day's first row. */
  readonly firstRowOfDay: number;
  /** Index in the section of the first row to render, which may belong to an earlier day. */
  readonly firstRow: number;
  readonly contents: (first: number, end: number) => RowContents;
}) => {
  const { i18n } = useTranslation('library');
  const { grid, day, rows } = props;
  const { date = '', places = [] } = grid.days[day.number] ?? {};
  const skippedRows = Math.max(0, props.firstRow - props.firstRowOfDay);
  return (
    <section aria-label={timelineDates(i18n.language).fullDay(date)} className={styles['day']}>
      <DayHeading grid={grid} day={day} date={date} places={places} />
      <div role="grid" aria-label={timelineDates(i18n.language).fullDay(date)} aria-multiselectable>
        {rows.map((row, index) => {
          const first = Math.max(row.first, day.first);
          const end = Math.min(row.end, day.end);
          return (
            <MediaRow
              key={first}
              rowIndex={skippedRows + index + 1}
              top={row.top}
              height={row.height}
              {...props.contents(first, end)}
            />
          );
        })}
      </div>
    </section>
  );
};
