import { memo } from 'react';
import styles from './MediaRow.module.css';
import { rowColours } from './layout/rowColours.ts';
import type { RowContents } from './layout/rowContents.ts';

/** A row of pictures by their mean colours, in one element: what the page shows of a row while it flies by. */
export const ColourRow = memo((props: RowContents & { readonly top: number; readonly height: number }) => (
  <div
    aria-busy
    className={styles['row']}
    style={{ top: props.top, height: props.height, background: rowColours(props) }}
  />
));
