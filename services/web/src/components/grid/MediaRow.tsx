import { memo, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { GridItem } from '../../lib/items/gridItem.ts';
import { getCellName } from './getCellName.ts';
import { MediaCell } from './MediaCell.tsx';
import styles from './MediaGrid.module.css';
import { isScrollingFast, whenSlow } from './layout/scrollSpeed.ts';
import type { RowContents } from './layout/rowContents.ts';
import { getAverageColour } from './layout/thumbHashImage.ts';

/**
 * Row of pictures. Shows only their average colours during fast scrolling. `items`, `lefts` and `widths` have the same
 * length; sizes are in CSS pixels.
 */
export const MediaRow = memo(
  (props: {
    readonly items: readonly GridItem[];
    readonly lefts: readonly number[];
    readonly widths: readonly number[];
    readonly top: number;
    readonly height: number;
    /** Row number in the grid, from 1. */
    readonly rowIndex: number;
  }) => {
    const isScrollSlow = useIsScrollSlow();
    // Called once per row instead of in each cell, because scrolling renders hundreds of cells.
    const { t, i18n } = useTranslation('library');
    const { items, lefts, widths } = props;
    if (!isScrollSlow)
      return <ColourRow items={items} lefts={lefts} widths={widths} top={props.top} height={props.height} />;
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
            name={getCellName(item, t, i18n.language)}
            left={lefts[index] ?? 0}
            width={widths[index] ?? 0}
          />
        ))}
      </div>
    );
  },
);

/** Returns whether scrolling has been slow at least once since the row was mounted. */
function useIsScrollSlow(): boolean {
  const [isScrollSlow, setIsScrollSlow] = useState(() => !isScrollingFast());
  useEffect(() => (isScrollSlow ? undefined : whenSlow(() => setIsScrollSlow(true))), [isScrollSlow]);
  return isScrollSlow;
}

/** Row of average colours in one element, shown during fast scrolling. */
export const ColourRow = memo((props: RowContents & { readonly top: number; readonly height: number }) => (
  <div
    aria-busy
    className={styles['row']}
    style={{ top: props.top, height: props.height, background: rowColours(props) }}
  />
));

/** Returns a CSS gradient with one box per picture in its average colour, and a default colour where it is unknown. */
export const rowColours = ({ items, lefts, widths }: RowContents): string => {
  const stops = items.flatMap(({ placeholder }, index) => {
    const left = lefts[index] ?? 0;
    const right = left + (widths[index] ?? 0);
    const colour = placeholder === undefined ? 'var(--surface-hover)' : getAverageColour(placeholder);
    return [`transparent ${left}px`, `${colour} ${left}px ${right}px`, `transparent ${right}px`];
  });
  return `linear-gradient(to right, ${stops.join(', ')})`;
};
