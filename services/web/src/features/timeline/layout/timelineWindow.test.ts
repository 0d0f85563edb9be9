import { describe, expect, it } from 'vitest';
import { makeGrowingRange, type Range } from './timelineWindow.ts';

const range = (from: number, to: number): Range => ({ from, to });

describe('range with full pictures', () => {
  it('covers all rendered rows without fast scrolling', () => {
    const part = makeGrowingRange();
    expect(part.move(range(0, 1200), range(0, 900), false)).toEqual({ fullFrom: 0, fullTo: 1200, isWhole: true });
    expect(part.move(range(2400, 4800), range(3000, 3900), false)).toEqual({
      fullFrom: 2400,
      fullTo: 4800,
      isWhole: true,
    });
  });

  it('shrinks during fast scrolling, down to nothing', () => {
    const part = makeGrowingRange();
    part.move(range(0, 2400), range(600, 1500), false);
    expect(part.move(range(960, 3360), range(1560, 2460), true)).toEqual({
      fullFrom: 960,
      fullTo: 2400,
      isWhole: false,
    });
    expect(part.move(range(2640, 5040), range(3240, 4140), true)).toMatchObject({ fullFrom: 2640, fullTo: 2640 });
    expect(part.move(range(2400, 4800), range(3000, 3900), true)).toMatchObject({ fullFrom: 2400, fullTo: 2400 });
  });

  it('grows after fast scrolling by a step per frame: first the screen, then above, then below', () => {
    const part = makeGrowingRange();
    part.move(range(0, 2400), range(600, 1500), true);
    part.move(range(4800, 6960), range(5500, 6400), true);
    const steps = Array.from({ length: 9 }, () => part.move(range(4800, 6960), range(5500, 6400), false));
    expect(steps.map(({ fullFrom, fullTo }) => [fullFrom, fullTo])).toEqual([
      [5280, 5520],
      [5280, 5760],
      [5280, 6000],
      [5280, 6240],
      [5280, 6480],
      [5040, 6480],
      [4800, 6480],
      [4800, 6720],
      [4800, 6960],
    ]);
    expect(steps.map(({ isWhole }) => isWhole).indexOf(true)).toBe(8);
    expect(part.move(range(5040, 7200), range(5700, 6600), false)).toEqual({
      fullFrom: 5040,
      fullTo: 7200,
      isWhole: true,
    });
  });

  it('restarts on the screen when it has left the screen', () => {
    const part = makeGrowingRange();
    part.move(range(0, 2400), range(600, 1500), false);
    part.move(range(1440, 3840), range(2040, 2940), true);
    expect(part.move(range(1920, 4320), range(2520, 3420), false)).toMatchObject({ fullFrom: 2400, fullTo: 2640 });
  });

  it('covers all rendered rows at once after a jump', () => {
    const part = makeGrowingRange();
    part.move(range(0, 2400), range(600, 1500), true);
    part.growToEnd();
    expect(part.move(range(90_000, 91_200), range(90_100, 91_000), false)).toEqual({
      fullFrom: 90_000,
      fullTo: 91_200,
      isWhole: true,
    });
  });
});
