/** What is to be rendered and loaded: heights of the timeline, in CSS pixels. */
export interface TimelineWindow {
  /** The part to render: what is on the screen, and some above and below, of which nothing yet after a jump. */
  readonly from: number;
  readonly to: number;
  /** The part of that whose pictures are rendered; of the rest their colours alone, since the page flies by. Empty where both are the same. */
  readonly fullFrom: number;
  readonly fullTo: number;
  /** The sections whose items are wanted; they follow only while scrolling is slow. */
  readonly wanted: readonly string[];
  /** How far below their place in the page things are in the timeline: what is at `y` is drawn at `y - shift`. */
  readonly shift: number;
}

/** The window moves in steps of this many CSS pixels, so that not each frame is rendered anew. */
export const windowStep = 240;

/** The same while the page flies by: rows of colours cost little, and a change of the page as much for one row as for several. */
export const fastStep = 4 * windowStep;

/** Whether two windows ask for the same rendering. */
export const isSameWindow = (one: TimelineWindow, other: TimelineWindow): boolean =>
  one.from === other.from &&
  one.to === other.to &&
  one.fullFrom === other.fullFrom &&
  one.fullTo === other.fullTo &&
  one.wanted === other.wanted &&
  one.shift === other.shift;

/** Heights of the timeline, in CSS pixels. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Which part of what is near the screen shows its pictures; all else shows its colours alone. */
interface FullPart {
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
