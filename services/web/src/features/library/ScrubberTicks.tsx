import { memo } from 'react';
import styles from './Scrubber.module.css';
import { scrubberTicks } from './scrubberTicks.ts';
import type { TimelineGeometry } from './timelineGeometry.ts';

/** The years and months along the scrubber; the slider beside them says the same to screen readers. */
export const ScrubberTicks = memo(
  ({ geometry, trackHeight }: { readonly geometry: TimelineGeometry; readonly trackHeight: number }) =>
    scrubberTicks(geometry, trackHeight).map(({ month, year, y }) => (
      <span
        key={month}
        aria-hidden
        className={year === undefined ? styles['month'] : styles['year']}
        style={{ top: y }}
      >
        {year}
      </span>
    )),
);
