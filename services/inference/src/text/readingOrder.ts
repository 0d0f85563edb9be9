import type { Point } from '../pixels/samplePixels.ts';
import type { TurnedRectangle } from './turnedRectangle.ts';

/**
 * Lines as a page is read: from top to bottom, and from left to right what is on one level, whose centre is within half of the height of the first one there.
 * `across` of each is the direction in which it is read; the page lies as most of its text does.
 */
export function inReadingOrder(lines: readonly TurnedRectangle[]): TurnedRectangle[] {
  const right = pageDirection(lines);
  const down = { x: -right.y, y: right.x };
  const waiting = lines
    .map((line) => ({
      line,
      x: along(line.centre, right),
      y: along(line.centre, down),
      height: extentAlong(line, down),
    }))
    .toSorted((a, b) => a.y - b.y);
  const ordered: TurnedRectangle[] = [];
  while (waiting.length > 0) {
    const { y, height } = waiting[0]!;
    const end = waiting.findIndex((each) => each.y > y + height / 2);
    const level = waiting.splice(0, end === -1 ? waiting.length : end).toSorted((a, b) => a.x - b.x);
    ordered.push(...level.map(({ line }) => line));
  }
  return ordered;
}

const directions: readonly Point[] = [
  { x: 1, y: 0 },
  { x: 0, y: 1 },
  { x: -1, y: 0 },
  { x: 0, y: -1 },
];

/** The one of four directions in which the largest part of the text is read. */
const pageDirection = (lines: readonly TurnedRectangle[]): Point => {
  const areas = directions.map((direction) =>
    lines
      .filter(({ across }) => along(across, direction) > Math.SQRT1_2)
      .reduce((sum, { width, height }) => sum + width * height, 0),
  );
  return directions[areas.indexOf(Math.max(...areas))]!;
};

/** How far a line reaches along a direction that is its own, across it or in between. */
const extentAlong = ({ across, width, height }: TurnedRectangle, direction: Point): number =>
  Math.abs(along(across, direction)) > Math.SQRT1_2 ? width : height;

const along = (point: Point, direction: Point): number => point.x * direction.x + point.y * direction.y;
