import { memo } from 'react';
import type { GridItem } from '../gridItem.ts';
import { MediaCell } from './MediaCell.tsx';
import styles from './MediaRow.module.css';

/** A row of pictures at `top` of the grid it lies in. The three lists are of the same length; sizes are in CSS pixels. */
export const MediaRow = memo(
  (props: {
    readonly items: readonly GridItem[];
    readonly lefts: readonly number[];
    readonly widths: readonly number[];
    readonly top: number;
    readonly height: number;
    /** Its number in the grid, from 1. */
    readonly rowIndex: number;
  }) => (
    <div
      role="row"
      aria-rowindex={props.rowIndex}
      className={styles['row']}
      style={{ top: props.top, height: props.height }}
    >
      {props.items.map((item, index) => (
        <MediaCell key={item.id} item={item} left={props.lefts[index] ?? 0} width={props.widths[index] ?? 0} />
      ))}
    </div>
  ),
);
