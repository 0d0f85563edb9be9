import { memo, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { GridItem } from '../../lib/items/gridItem.ts';
import { cellName } from './cellName.ts';
import { MediaCell } from './MediaCell.tsx';
import styles from './MediaGrid.module.css';
import { isScrollingFast, onceCalm } from './layout/scrollSpeed.ts';
import type { RowContents } from './layout/rowContents.ts';
import { averageColour } from './layout/thumbHashImage.ts';

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

/** A row of pictures by their mean colours, in one element: what the page shows of a row while it flies by. */
export const ColourRow = memo((props: RowContents & { readonly top: number; readonly height: number }) => (
  <div
    aria-busy
    className={styles['row']}
    style={{ top: props.top, height: props.height, background: rowColours(props) }}
  />
));

/** The pictures of a row as boxes of their mean colours: a CSS gradient with an edge at each side of a picture, and nothing where no colour is known. */
export const rowColours = ({ items, lefts, widths }: RowContents): string => {
  const stops = items.flatMap(({ placeholder }, index) => {
    const left = lefts[index] ?? 0;
    const right = left + (widths[index] ?? 0);
    const colour = placeholder === undefined ? 'var(--surface-hover)' : averageColour(placeholder);
    return [`transparent ${left}px`, `${colour} ${left}px ${right}px`, `transparent ${right}px`];
  });
  return `linear-gradient(to right, ${stops.join(', ')})`;
};
