import type { Point } from '../pixels/samplePixels.ts';

/** A rectangle that may be rotated. */
export interface RotatedRectangle {
  readonly centre: Point;
  /**
   * The direction of `width`, as a unit vector. `smallestRectangle` returns one to the right, at most 45° from the x
   * axis.
   */
  readonly across: Point;
  readonly width: number;
  /** The length perpendicular to `across`, downwards. */
  readonly height: number;
}

/** Returns the direction of `height`: a quarter turn clockwise from `across`, as y points down. */
export const getDownVector = ({ across }: RotatedRectangle): Point => ({ x: -across.y, y: across.x });

/**
 * Returns the smallest rectangle around points. One of its sides lies on a side of their convex hull. @throws Error
 * without points
 */
export function smallestRectangle(points: readonly (readonly [number, number])[]): RotatedRectangle {
  const hull = computeHull(points);
  if (hull.length === 0) throw new Error('A rectangle needs at least one point.');
  const directions = hull.map(([x, y], i): Point => {
    const [nextX, nextY] = hull[(i + 1) % hull.length]!;
    return levelled(nextX - x, nextY - y);
  });
  let best: RotatedRectangle | undefined;
  for (const across of directions) {
    const each = rectangleAlong(hull, across);
    // Requires a relative gain of a millionth, so that rounding does not choose among equal rectangles.
    if (best === undefined || each.width * each.height < best.width * best.height * (1 - 1e-6)) best = each;
  }
  return best!;
}

/**
 * Returns the direction of a rectangle's side that is at most 45° from the x axis, as a unit vector to the right. One
 * of its sides has the given direction.
 */
const levelled = (x: number, y: number): Point => {
  const length = Math.hypot(x, y);
  if (length === 0) return { x: 1, y: 0 };
  const [along, up] = Math.abs(x) >= Math.abs(y) ? [x, y] : [y, -x];
  const sign = along < 0 ? -1 : 1;
  return { x: (sign * along) / length, y: (sign * up) / length };
};

const rectangleAlong = (points: readonly (readonly [number, number])[], across: Point): RotatedRectangle => {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const [x, y] of points) {
    const [u, v] = [x * across.x + y * across.y, y * across.x - x * across.y];
    [left, right] = [Math.min(left, u), Math.max(right, u)];
    [top, bottom] = [Math.min(top, v), Math.max(bottom, v)];
  }
  const [u, v] = [(left + right) / 2, (top + bottom) / 2];
  return {
    centre: { x: u * across.x - v * across.y, y: u * across.y + v * across.x },
    across,
    width: right - left,
    height: bottom - top,
  };
};

/**
 * Returns the corners of the convex hull, by Andrew's monotone chain (https://doi.org/10.1016/0020-0190(79)90072-3).
 */
const computeHull = (points: readonly (readonly [number, number])[]): (readonly [number, number])[] => {
  const sorted = points.toSorted(([ax, ay], [bx, by]) => ax - bx || ay - by);
  if (sorted.length < 3) return sorted;
  return [...computeChain(sorted), ...computeChain(sorted.toReversed())];
};

const computeChain = (sorted: readonly (readonly [number, number])[]): (readonly [number, number])[] => {
  const chain: (readonly [number, number])[] = [];
  for (const point of sorted) {
    while (chain.length >= 2 && crossProduct(chain.at(-2)!, chain.at(-1)!, point) <= 0) chain.pop();
    chain.push(point);
  }
  return chain.slice(0, -1);
};

const crossProduct = (
  [ax, ay]: readonly [number, number],
  [bx, by]: readonly [number, number],
  [cx, cy]: readonly [number, number],
): number => (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
