/** Ranges of the timeline to render and load, in CSS pixels. */
export interface TimelineWindow {
  /** Range to render: the screen with margins above and below, except right after a jump. */
  readonly from: number;
  readonly to: number;
  /**
   * Part of the range with full pictures; empty if both ends are equal. The rest shows only colours, during and shortly
   * after fast scrolling.
   */
  readonly fullFrom: number;
  readonly fullTo: number;
  /** Sections to load. Not updated during fast scrolling. */
  readonly wanted: readonly string[];
  /** Offset of the content: timeline position `y` is drawn at `y - shift` in the page. */
  readonly shift: number;
}

/** The edges of the window are multiples of this, in CSS pixels, so that not every frame renders. */
export const windowStep = 240;

/** Step during fast scrolling. Rows of colours are cheap, and one update costs the same for one row as for several. */
export const fastStep = 4 * windowStep;

export const isSameWindow = (one: TimelineWindow, other: TimelineWindow): boolean =>
  one.from === other.from &&
  one.to === other.to &&
  one.fullFrom === other.fullFrom &&
  one.fullTo === other.fullTo &&
  one.wanted === other.wanted &&
  one.shift === other.shift;

/** In CSS pixels of the timeline. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Range of the rendered rows that shows full pictures. The other rows show only colours. */
interface GrowingRange {
  /**
   * Updates the range for new `rendered` rows. During fast scrolling, it is the remaining part of the previous range.
   * Afterwards, it grows by about a row per call: first over the `screen`, then above, then below, until `isWhole`.
   * Without fast scrolling, it is always whole.
   */
  readonly move: (
    rendered: Range,
    screen: Range,
    isFast: boolean,
  ) => { readonly fullFrom: number; readonly fullTo: number; readonly isWhole: boolean };
  /** Makes the next range whole, except during fast scrolling. */
  readonly growToEnd: () => void;
}

/** Starts whole. Rendering all pictures at once after a fling would block the page for 0.1 s. */
export const makeGrowingRange = (): GrowingRange => {
  let isComplete = true;
  let full: Range = { from: 0, to: 0 };
  const next = (rendered: Range, screen: Range, isFast: boolean): Range => {
    if (isComplete) return rendered;
    const remaining = { from: Math.max(rendered.from, full.from), to: Math.min(rendered.to, full.to) };
    const isEmpty = remaining.from >= remaining.to;
    if (isFast) return isEmpty ? { from: rendered.from, to: rendered.from } : remaining;
    if (isEmpty || remaining.to <= screen.from || remaining.from >= screen.to) {
      const from = Math.max(rendered.from, Math.floor(screen.from / windowStep) * windowStep);
      return { from, to: from + windowStep };
    }
    if (remaining.to < screen.to) return { from: remaining.from, to: Math.min(rendered.to, remaining.to + windowStep) };
    if (remaining.from > rendered.from)
      return { from: Math.max(rendered.from, remaining.from - windowStep), to: remaining.to };
    return { from: remaining.from, to: Math.min(rendered.to, remaining.to + windowStep) };
  };
  return {
    move: (rendered, screen, isFast) => {
      if (isFast) isComplete = false;
      full = next(rendered, screen, isFast);
      isComplete = !isFast && full.from === rendered.from && full.to === rendered.to;
      return { fullFrom: full.from, fullTo: full.to, isWhole: isComplete };
    },
    growToEnd: () => {
      isComplete = true;
    },
  };
};
