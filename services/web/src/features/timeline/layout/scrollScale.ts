/**
 * How high the element is that the browser scrolls, at most, in CSS pixels: browsers end at 16 to 33 million, and lose precision before. A
 * million items are 30 million pixels high on a phone.
 */
const mostScrolled = 8_000_000;

/** The heights of the timeline, of the element that stands for it in the page, and of the window, in CSS pixels. */
export interface ScrollScale {
  readonly height: number;
  readonly scrolled: number;
  readonly viewport: number;
}

/** The scale of a timeline of this height; one to one unless it is higher than a browser can scroll. */
export const scrollScale = (height: number, viewport: number): ScrollScale => ({
  height,
  viewport,
  scrolled: Math.min(height, mostScrolled),
});

/** Where the page must be scrolled to for a place of the timeline to be at the upper edge of the window. */
export const toScrolled = ({ height, scrolled, viewport }: ScrollScale, place: number): number =>
  height <= scrolled || height <= viewport ? place : (place * (scrolled - viewport)) / (height - viewport);

/** Which place of the timeline the scroll bar points to. */
export const fromScrolled = ({ height, scrolled, viewport }: ScrollScale, scroll: number): number =>
  height <= scrolled || height <= viewport ? scroll : (scroll * (height - viewport)) / (scrolled - viewport);
