import { rowSizeFor } from '../../../components/grid/layout/rowHeight.ts';
import type { TimelineSize } from './sectionLayout.ts';

/** The sizes of the timeline on a page of this width, with text of `rem` CSS pixels. */
export const timelineSizeFor = (width: number, rem: number): TimelineSize => ({
  ...rowSizeFor(width),
  titleHeight: Math.round(rem * 3.5),
  headingHeight: Math.round(Math.max(44, rem * 2.75)),
  dayMargin: Math.round(rem * 0.5),
  dayGap: Math.round(rem),
  leastDayWidth: Math.round(Math.min(width, rem * 9.5)),
});
