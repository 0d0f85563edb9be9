/**
 * Maximum height of the scrolled element, in CSS pixels. Browsers support 16 to 33 million and lose precision earlier. A
 * million items are 30 million pixels high on a phone.
 */
const maxScrolled = 8_000_000;

/** Heights in CSS pixels. */
export interface ScrollScale {
  /** Height of the whole timeline. */
  readonly height: number;
  /** Height of the timeline's element in the page, which may be smaller. */
  readonly scrolled: number;
  /** Height of the window below the app bar. */
  readonly viewport: number;
}

/** Returns the scale for a timeline height; 1:1 up to `maxScrolled`. */
export const scrollScale = (height: number, viewport: number): ScrollScale => ({
  height,
  viewport,
  scrolled: Math.min(height, maxScrolled),
});

/** Converts a timeline position at the top of the window to a scroll position. */
export const toScrolled = ({ height, scrolled, viewport }: ScrollScale, place: number): number =>
  height <= scrolled || height <= viewport ? place : (place * (scrolled - viewport)) / (height - viewport);

/** Converts a scroll position to a timeline position. */
export const fromScrolled = ({ height, scrolled, viewport }: ScrollScale, scroll: number): number =>
  height <= scrolled || height <= viewport ? scroll : (scroll * (height - viewport)) / (scrolled - viewport);
