import { useQueryClient } from '@tanstack/react-query';
import { memo, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { findLastRow, listRowsBetween } from '../../components/grid/input/gridNavigation.ts';
import { makeRowContents, type RowContents } from '../../components/grid/layout/rowContents.ts';
import { ColourRow } from '../../components/grid/MediaRow.tsx';
import { Button } from '../../components/controls/Button.tsx';
import { DayView } from './DayView.tsx';
import { getGridItem, type SectionGrid } from './layout/sectionGrid.ts';
import type { SectionLayout } from './layout/sectionLayout.ts';
import styles from './SectionView.module.css';
import { listKeys } from '../../lib/changes/listKeys.ts';
import { timelineDates } from './layout/timelineDates.ts';
import { getMonth } from './layout/timelineGeometry.ts';

/**
 * Section of the timeline: a month title if the month starts here, and the rows within a vertical range. Shows a
 * placeholder pattern until its items are loaded.
 */
export const SectionView = memo(
  (props: {
    readonly section: string;
    readonly hasTitle: boolean;
    /** Position in CSS pixels from the top of the timeline. */
    readonly top: number;
    readonly height: number;
    readonly grid: SectionGrid | undefined;
    readonly layout: SectionLayout | undefined;
    /** Range of the rows to render, in CSS pixels from the top of the section. */
    readonly from: number;
    readonly to: number;
    /** Range whose pictures are rendered. The remaining rows show only colours. */
    readonly fullFrom: number;
    readonly fullTo: number;
    readonly hasFailed: boolean;
  }) => {
    const { i18n } = useTranslation('library');
    const { grid, layout, section, hasTitle } = props;
    const month = getMonth(section);
    const titleId = `month-${month}`;
    return (
      <section
        aria-labelledby={hasTitle ? titleId : undefined}
        data-titled={hasTitle ? '' : undefined}
        className={styles['section']}
        // A transform instead of `top`: moving it together with the scroll position does not count as a layout shift.
        style={{ transform: `translateY(${props.top}px)`, height: props.height }}
        aria-busy={grid === undefined}
      >
        {hasTitle && (
          <h2 id={titleId} className={styles['title']}>
            {timelineDates(i18n.language).month(month)}
          </h2>
        )}
        {grid !== undefined && layout !== undefined ? (
          <Rows
            grid={grid}
            layout={layout}
            from={props.from}
            to={props.to}
            fullFrom={props.fullFrom}
            fullTo={props.fullTo}
          />
        ) : (
          <div className={styles['unknown']}>{props.hasFailed && <FailedSection section={section} />}</div>
        )}
      </section>
    );
  },
);

const FailedSection = ({ section }: { readonly section: string }) => {
  const { t } = useTranslation('library');
  const client = useQueryClient();
  return (
    <div className={styles['failed']} role="alert">
      <p>{t('sectionFailed')}</p>
      <Button onClick={() => void client.refetchQueries({ queryKey: listKeys.timelineGrid(section) })}>
        {t('tryAgain', { ns: 'common' })}
      </Button>
    </div>
  );
};

const Rows = (props: {
  readonly grid: SectionGrid;
  readonly layout: SectionLayout;
  readonly from: number;
  readonly to: number;
  readonly fullFrom: number;
  readonly fullTo: number;
}) => {
  const { grid, layout } = props;
  const contents = useMemo(() => makeRowContents(layout, (index) => getGridItem(grid, index)), [grid, layout]);
  const [first, end] = listRowsBetween(layout.rows, props.from, props.to);
  const [fullFirst, fullEnd] =
    props.fullFrom < props.fullTo ? listRowsBetween(layout.rows, props.fullFrom, props.fullTo) : [first, first];
  const colours = [...layout.rows.slice(first, fullFirst), ...layout.rows.slice(Math.max(first, fullEnd), end)];
  return (
    <>
      {colours.map((row) => (
        <ColourRow key={row.first} {...contents(row.first, row.end)} top={row.top} height={row.height} />
      ))}
      <Days grid={grid} layout={layout} firstRow={fullFirst} endRow={fullEnd} contents={contents} />
    </>
  );
};

/** Days of a range of rows, with all pictures. */
const Days = (props: {
  readonly grid: SectionGrid;
  readonly layout: SectionLayout;
  readonly firstRow: number;
  readonly endRow: number;
  readonly contents: (first: number, end: number) => RowContents;
}) => {
  const { grid, layout, firstRow } = props;
  const rows = layout.rows.slice(firstRow, props.endRow);
  const [first, end] = [rows[0]?.first, rows.at(-1)?.end];
  if (first === undefined || end === undefined) return null;
  const firstDay = findLastRow(layout.days, first, (day) => day.first);
  const endDay = findLastRow(layout.days, end - 1, (day) => day.first) + 1;
  return layout.days
    .slice(firstDay, endDay)
    .map((day) => (
      <DayView
        key={grid.days[day.number]?.date}
        grid={grid}
        day={day}
        rows={rows.filter((row) => row.end > day.first && row.first < day.end)}
        firstRowOfDay={findLastRow(layout.rows, day.first, (row) => row.first)}
        firstRow={firstRow}
        contents={props.contents}
      />
    ));
};
