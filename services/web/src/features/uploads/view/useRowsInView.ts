import { useLayoutEffect, useState, type RefObject } from 'react';

/** Row indexes from 0; `to` is exclusive. */
export interface RowsInView {
  readonly from: number;
  readonly to: number;
}

/** Rows rendered beyond the edges, to avoid gaps during scrolling. */
const overscanRows = 4;

/** Returns the visible rows of a scrolling element with rows of equal height, in pixels. */
export const useRowsInView = (scroller: RefObject<HTMLElement | null>, rowHeight: number): RowsInView => {
  const [rows, setRows] = useState<RowsInView>({ from: 0, to: 0 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const updateRows = (): void => {
      const { scrollTop, clientHeight } = element;
      const from = Math.max(0, Math.floor(scrollTop / rowHeight) - overscanRows);
      const to = Math.ceil((scrollTop + clientHeight) / rowHeight) + overscanRows;
      setRows((before) => (before.from === from && before.to === to ? before : { from, to }));
    };
    updateRows();
    const observer = new ResizeObserver(updateRows);
    observer.observe(element);
    element.addEventListener('scroll', updateRows, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', updateRows);
    };
  }, [scroller, rowHeight]);
  return rows;
};
