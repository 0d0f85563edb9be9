import type { RowContents } from './rowContents.ts';
import { averageColour } from './thumbHashImage.ts';

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
