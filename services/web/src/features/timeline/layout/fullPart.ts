import { windowStep } from './timelineWindow.ts';

/** Heights of the timeline, in CSS pixels. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Which part of what is near the screen shows its pictures; all else shows its colours alone. */
export interface FullPart {
  /**
   * Follows the part that is `rendered`. While the page flies by, the full part is what is left of it; afterwards it grows by about a row with each call, over the `screen`
   * first, then above and then below it, until `isWhole`. A page that never flies is whole always.
   */
  readonly move: (
    rendered: Range,
    screen: Range,
    isFlying: boolean,
  ) => { readonly fullFrom: number; readonly fullTo: number; readonly isWhole: boolean };
  /** Makes the next move whole, unless the page flies by then. */
  readonly becomeWhole: () => void;
}

/** Begins whole. Rows with all their pictures, rendered in one go when a fling ends, would hold the page for a tenth of a second. */
export const makeFullPart = (): FullPart => {
  let isWhole = true;
  let full: Range = { from: 0, to: 0 };
  const next = (rendered: Range, screen: Range, isFlying: boolean): Range => {
    if (isWhole) return rendered;
    const left = { from: Math.max(rendered.from, full.from), to: Math.min(rendered.to, full.to) };
    const isGone = left.from >= left.to;
    if (isFlying) return isGone ? { from: rendered.from, to: rendered.from } : left;
    if (isGone || left.to <= screen.from || left.from >= screen.to) {
      const from = Math.max(rendered.from, Math.floor(screen.from / windowStep) * windowStep);
      return { from, to: from + windowStep };
    }
    if (left.to < screen.to) return { from: left.from, to: Math.min(rendered.to, left.to + windowStep) };
    if (left.from > rendered.from) return { from: Math.max(rendered.from, left.from - windowStep), to: left.to };
    return { from: left.from, to: Math.min(rendered.to, left.to + windowStep) };
  };
  return {
    move: (rendered, screen, isFlying) => {
      if (isFlying) isWhole = false;
      full = next(rendered, screen, isFlying);
      isWhole = !isFlying && full.from === rendered.from && full.to === rendered.to;
      return { fullFrom: full.from, fullTo: full.to, isWhole };
    },
    becomeWhole: () => {
      isWhole = true;
    },
  };
};
