import { windowStep } from './timelineWindow.ts';

/** Which part of what is near the screen shows its pictures, in CSS pixels of the timeline; all else shows its colours alone. */
export interface FullPart {
  /**
   * Follows the rendered part `from`–`to`, of which `top` is at the screen's upper edge. While the page flies by, the full part is what is left of it; afterwards it
   * grows by a step at either end with each call, beginning at the screen, until `isWhole`. A page that never flies is whole always.
   */
  readonly move: (
    from: number,
    to: number,
    top: number,
    isFlying: boolean,
  ) => { readonly fullFrom: number; readonly fullTo: number; readonly isWhole: boolean };
  /** Makes the next move whole, unless the page flies by then. */
  readonly becomeWhole: () => void;
}

/** Begins whole. Rows with all their pictures, rendered in one go when a fling ends, would hold the page for a tenth of a second. */
export const makeFullPart = (): FullPart => {
  let isWhole = true;
  let [fullFrom, fullTo] = [0, 0];
  const next = (from: number, to: number, top: number, isFlying: boolean): readonly [number, number] => {
    if (isWhole) return [from, to];
    const [first, end] = [Math.max(from, fullFrom), Math.min(to, fullTo)];
    if (isFlying) return first < end ? [first, end] : [from, from];
    if (first < end) return [Math.max(from, first - windowStep), Math.min(to, end + windowStep)];
    const screen = Math.floor(top / windowStep) * windowStep;
    return [Math.max(from, screen), Math.min(to, screen + 2 * windowStep)];
  };
  return {
    move: (from, to, top, isFlying) => {
      if (isFlying) isWhole = false;
      [fullFrom, fullTo] = next(from, to, top, isFlying);
      isWhole = !isFlying && fullFrom === from && fullTo === to;
      return { fullFrom, fullTo, isWhole };
    },
    becomeWhole: () => {
      isWhole = true;
    },
  };
};
