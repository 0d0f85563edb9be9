import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useState } from 'react';
import type { MediaSource } from '../../lib/items/mediaSource.ts';
import { useIsSelecting } from '../selection/Selection.tsx';
import { GridFocusContext } from './input/gridFocus.ts';
import { moveInGrid, getRow } from './input/gridNavigation.ts';
import { justifyRows, getRowSize } from './layout/justifiedRows.ts';
import styles from './MediaGrid.module.css';
import { MediaRow } from './MediaRow.tsx';
import { makeRowContents } from './layout/rowContents.ts';
import { useElementBox } from './input/useElementBox.ts';
import { useGridInput } from './input/useGridInput.ts';
import { useReturningFocus } from './input/useReturningFocus.ts';

/** Rows rendered above and below the viewport. */
const overscanRows = 4;

/** The next page loads when at most this many rows follow the rendered ones. */
const loadAheadRows = 8;

/** Virtualized grid of justified rows. */
export const MediaGrid = (props: {
  readonly source: MediaSource;
  readonly label: string;
  readonly onOpen: (id: string) => void;
  /** Item open in the viewer. When the viewer closes, the grid scrolls to it and focuses it. */
  readonly shownId?: string | undefined;
}) => {
  const { items, hasMore, loadMore } = props.source;
  const [element, setElement] = useState<HTMLDivElement | null>(null);
  const { width, pageTop } = useElementBox(element);
  const layout = useMemo(
    () =>
      justifyRows(
        items.map(({ aspectRatio }) => aspectRatio),
        getRowSize(width),
      ),
    [items, width],
  );
  const indexes = useMemo(() => new Map(items.map(({ id }, index) => [id, index])), [items]);
  const contents = useMemo(
    () => makeRowContents(layout, (index) => items[index] as (typeof items)[number]),
    [layout, items],
  );
  const rows = width === 0 ? [] : layout.rows;
  // oxlint-disable-next-line react/incompatible-library -- only this component uses the result, and the compiler skips it
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => (rows[index + 1]?.top ?? layout.height) - (rows[index]?.top ?? 0),
    overscan: overscanRows,
    scrollMargin: pageTop,
  });
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, layout]);

  const { container, focus, handlers, focusItem, onRendered } = useGridInput({
    onOpen: props.onOpen,
    move: (id, key) => {
      const next = moveInGrid(layout, indexes.get(id) ?? 0, key);
      return typeof next === 'number' ? items[next]?.id : undefined;
    },
    reveal: (id) => virtualizer.scrollToIndex(getRow(layout, indexes.get(id) ?? 0), { align: 'auto' }),
    idsBetween: (from, to) => {
      const ends = [indexes.get(from) ?? 0, indexes.get(to) ?? 0];
      return items.slice(Math.min(...ends), Math.max(...ends) + 1).map(({ id }) => id);
    },
  });
  useLayoutEffect(onRendered);
  useReturningFocus(props.shownId, (id) => indexes.has(id) && focusItem(id));

  const rendered = virtualizer.getVirtualItems();
  const lastRendered = rendered.at(-1)?.index ?? -1;
  useEffect(() => {
    if (hasMore && width > 0 && lastRendered >= rows.length - 1 - loadAheadRows) loadMore();
  });
  const isSelecting = useIsSelecting();
  return (
    <GridFocusContext value={focus}>
      <div ref={setElement}>
        <div
          ref={container}
          role="grid"
          aria-label={props.label}
          aria-multiselectable
          aria-rowcount={hasMore ? -1 : rows.length}
          data-selecting={isSelecting ? '' : undefined}
          className={styles['grid']}
          style={{ height: layout.height }}
          {...handlers}
        >
          {rendered.map(({ index }) => {
            const row = rows[index];
            if (row === undefined) return null;
            const { top, height, first, end } = row;
            return <MediaRow key={first} rowIndex={index + 1} top={top} height={height} {...contents(first, end)} />;
          })}
        </div>
      </div>
    </GridFocusContext>
  );
};
