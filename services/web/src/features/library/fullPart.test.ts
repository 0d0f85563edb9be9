import { describe, expect, it } from 'vitest';
import { makeFullPart } from './fullPart.ts';

describe('the part of the timeline that shows its pictures', () => {
  it('is all of it while nobody flings', () => {
    const part = makeFullPart();
    expect(part.move(0, 1200, 0, false)).toEqual({ fullFrom: 0, fullTo: 1200, isWhole: true });
    expect(part.move(2400, 4800, 3000, false)).toEqual({ fullFrom: 2400, fullTo: 4800, isWhole: true });
  });

  it('is what is left of it while the page flies by, and nothing when that is gone', () => {
    const part = makeFullPart();
    part.move(0, 2400, 600, false);
    expect(part.move(960, 3360, 1560, true)).toEqual({ fullFrom: 960, fullTo: 2400, isWhole: false });
    expect(part.move(2640, 5040, 3240, true)).toMatchObject({ fullFrom: 2640, fullTo: 2640 });
    expect(part.move(2400, 4800, 3000, true)).toMatchObject({ fullFrom: 2400, fullTo: 2400 });
  });

  it('grows from the screen by a step at either end when the page is slow again, until it is whole', () => {
    const part = makeFullPart();
    part.move(0, 2400, 600, true);
    expect(part.move(4800, 7200, 5500, true)).toMatchObject({ fullFrom: 4800, fullTo: 4800 });
    expect(part.move(4800, 7200, 5500, false)).toEqual({ fullFrom: 5280, fullTo: 5760, isWhole: false });
    expect(part.move(4800, 7200, 5500, false)).toMatchObject({ fullFrom: 5040, fullTo: 6000 });
    for (let frame = 0; frame < 4; frame++) part.move(4800, 7200, 5500, false);
    expect(part.move(4800, 7200, 5500, false)).toEqual({ fullFrom: 4800, fullTo: 7200, isWhole: true });
    expect(part.move(5040, 7440, 5700, false)).toEqual({ fullFrom: 5040, fullTo: 7440, isWhole: true });
  });

  it('is whole at once where a jump leads', () => {
    const part = makeFullPart();
    part.move(0, 2400, 600, true);
    part.becomeWhole();
    expect(part.move(90_000, 91_200, 90_100, false)).toEqual({ fullFrom: 90_000, fullTo: 91_200, isWhole: true });
  });
});
