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
