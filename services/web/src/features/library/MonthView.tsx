import { useQueryClient } from '@tanstack/react-query';
import { memo, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { lastRowFrom, rowsBetween } from '../../media/grid/gridNavigation.ts';
import { makeRowContents } from '../../media/grid/rowContents.ts';
import { Button } from '../../ui/Button.tsx';
import { DayView } from './DayView.tsx';
import { gridItemAt, type MonthGrid } from './monthGrid.ts';
import type { MonthLayout } from './monthLayout.ts';
import styles from './MonthView.module.css';
import { listKeys } from '../../media/actions/listKeys.ts';
import { timelineDates } from './timelineDates.ts';

/** A month of the timeline: its title, and the rows that are between two heights of it. An empty pattern until its items are known. */
export const MonthView = memo(
  (props: {
    readonly month: string;
    /** Where it is drawn, in CSS pixels from the timeline's upper edge. */
    readonly top: number;
    readonly height: number;
    readonly grid: MonthGrid | undefined;
    readonly layout: MonthLayout | undefined;
    readonly from: number;
    readonly to: number;
    readonly hasFailed: boolean;
  }) => {
    const { i18n } = useTranslation('library');
    const { grid, layout, month } = props;
    const titleId = `month-${month}`;
    return (
      <section
        aria-labelledby={titleId}
        className={styles['month']}
        // Not by `top`: with a transform a move together with the scroll bar is no layout shift.
        style={{ transform: `translateY(${props.top}px)`, height: props.height }}
        aria-busy={grid === undefined}
      >
        <h2 id={titleId} className={styles['title']}>
          {timelineDates(i18n.language).month(month)}
        </h2>
        {grid !== undefined && layout !== undefined ? (
          <Days grid={grid} layout={layout} from={props.from} to={props.to} />
        ) : (
          <div className={styles['unknown']}>{props.hasFailed && <FailedMonth month={month} />}</div>
        )}
      </section>
    );
  },
);

const FailedMonth = ({ month }: { readonly month: string }) => {
  const { t } = useTranslation('library');
  const client = useQueryClient();
  return (
    <div className={styles['failed']} role="alert">
      <p>{t('monthFailed')}</p>
      <Button onClick={() => void client.refetchQueries({ queryKey: listKeys.timelineGrid(month) })}>
        {t('tryAgain', { ns: 'common' })}
      </Button>
    </div>
  );
};

const Days = ({
  grid,
  layout,
  from,
  to,
}: {
  readonly grid: MonthGrid;
  readonly layout: MonthLayout;
  readonly from: number;
  readonly to: number;
}) => {
  const contents = useMemo(() => makeRowContents(layout, (index) => gridItemAt(grid, index)), [grid, layout]);
  const [firstRow, endRow] = rowsBetween(layout.rows, from, to);
  const rows = layout.rows.slice(firstRow, endRow);
  const first = rows[0]?.first ?? 0;
  const end = rows.at(-1)?.end ?? 0;
  const firstDay = lastRowFrom(layout.days, first, (day) => day.first);
  const endDay = lastRowFrom(layout.days, end - 1, (day) => day.first) + 1;
  return layout.days
    .slice(firstDay, endDay)
    .map((day) => (
      <DayView
        key={grid.days[day.number]?.date}
        grid={grid}
        day={day}
        rows={rows.filter((row) => row.end > day.first && row.first < day.end)}
        firstRowOfDay={lastRowFrom(layout.rows, day.first, (row) => row.first)}
        firstRow={firstRow}
        contents={contents}
      />
    ));
};
