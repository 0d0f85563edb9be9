import type { Point } from '../pixels/samplePixels.ts';
import type { RotatedRectangle } from './rotatedRectangle.ts';

/**
 * Sorts lines in reading order: top to bottom, and left to right on one level. Lines share a level if their centres are
 * within half of the first one's height. `across` must point in the reading direction. The page is oriented like most
 * of its text.
 */
export function sortByReadingOrder(lines: readonly RotatedRectangle[]): RotatedRectangle[] {
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
  const ordered: RotatedRectangle[] = [];
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

/** Returns the direction, of four, with the largest area of text. */
const pageDirection = (lines: readonly RotatedRectangle[]): Point => {
  const areas = directions.map((direction) =>
    lines
      .filter(({ across }) => along(across, direction) > Math.SQRT1_2)
      .reduce((sum, { width, height }) => sum + width * height, 0),
  );
  return directions[areas.indexOf(Math.max(...areas))]!;
};

/** Returns the extent of a line along a direction, from its width or height. */
const extentAlong = ({ across, width, height }: RotatedRectangle, direction: Point): number =>
  Math.abs(along(across, direction)) > Math.SQRT1_2 ? width : height;

const along = (point: Point, direction: Point): number => point.x * direction.x + point.y * direction.y;
