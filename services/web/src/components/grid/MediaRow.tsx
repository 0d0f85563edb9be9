import { memo, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { GridItem } from '../../lib/items/gridItem.ts';
import { cellName } from './cellName.ts';
import { MediaCell } from './MediaCell.tsx';
import styles from './MediaRow.module.css';
import { ColourRow } from './ColourRow.tsx';
import { isScrollingFast, onceCalm } from './layout/scrollSpeed.ts';

/** A row of pictures at `top` of the grid it lies in; only their colours, in one element, while the page flies by. The three lists are of the same length; sizes are in CSS pixels. */
export const MediaRow = memo(
  (props: {
    readonly items: readonly GridItem[];
    readonly lefts: readonly number[];
    readonly widths: readonly number[];
    readonly top: number;
    readonly height: number;
    /** Its number in the grid, from 1. */
    readonly rowIndex: number;
  }) => {
    const isCalm = useIsCalm();
    // Here and not in each cell: hundreds of cells are rendered while somebody scrolls.
    const { t, i18n } = useTranslation('library');
    const { items, lefts, widths } = props;
    if (!isCalm) return <ColourRow items={items} lefts={lefts} widths={widths} top={props.top} height={props.height} />;
    return (
      <div
        role="row"
        aria-rowindex={props.rowIndex}
        className={styles['row']}
        style={{ top: props.top, height: props.height }}
      >
        {items.map((item, index) => (
          <MediaCell
            key={item.id}
            item={item}
            name={cellName(item, t, i18n.language)}
            left={lefts[index] ?? 0}
            width={widths[index] ?? 0}
          />
        ))}
      </div>
    );
  },
);

/** Whether the page has been scrolled slowly enough, at least once since the row came, to see its pictures. */
function useIsCalm(): boolean {
  const [isCalm, setIsCalm] = useState(() => !isScrollingFast());
  useEffect(() => (isCalm ? undefined : onceCalm(() => setIsCalm(true))), [isCalm]);
  return isCalm;
}
