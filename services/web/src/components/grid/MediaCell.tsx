import { memo } from 'react';
import type { GridItem } from '../../lib/items/gridItem.ts';
import { useIsSelected } from '../selection/Selection.tsx';
import { CellBadges } from './CellBadges.tsx';
import { useIsTabStop } from './input/gridFocus.ts';
import { LiveMotion } from './LiveMotion.tsx';
import styles from './MediaCell.module.css';
import { Thumbnail } from './Thumbnail.tsx';

/** Cell of a grid. `useGridInput` handles its events and finds it by `data-item-id`. */
export const MediaCell = memo(
  (props: {
    readonly item: GridItem;
    /** Accessible name. */
    readonly name: string;
    readonly left: number;
    readonly width: number;
  }) => {
    const { item, name, left, width } = props;
    const isSelected = useIsSelected(item.id);
    const isTabStop = useIsTabStop(item.id);
    return (
      <div
        role="gridcell"
        aria-label={name}
        aria-selected={isSelected}
        tabIndex={isTabStop ? 0 : -1}
        data-item-id={item.id}
        className={styles['cell']}
        style={{ left, width }}
      >
        <span className={styles['picture']}>
          <Thumbnail url={item.thumbnailUrl} placeholder={item.placeholder} />
          {item.kind === 'live' && <LiveMotion item={item} />}
          <CellBadges item={item} />
          {item.found !== undefined && (
            <span className={styles['found']} aria-hidden>
              {item.found}
            </span>
          )}
        </span>
        <span className={styles['mark']} data-mark aria-hidden />
      </div>
    );
  },
);
