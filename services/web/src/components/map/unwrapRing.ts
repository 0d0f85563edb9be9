import type { Position } from 'geojson';

/** How many degrees the position of a ring lies beyond its raw longitude, after a step from one longitude to another. */
const stepOver = (from: number, to: number): number => (to - from > 180 ? -360 : to - from < -180 ? 360 : 0);

/**
 * A ring that goes on beyond the 180th meridian instead of jumping to the other end of the world; one that goes around a pole is closed along that
 * pole. In degrees; maps draw what lies beyond 180° at the other end.
 */
export const unwrapRing = (ring: readonly Position[]): Position[] => {
  let offset = 0;
  let before: number | undefined;
  const unwrapped = ring.map((position) => {
    const [longitude = 0, latitude = 0] = position;
    offset += before === undefined ? 0 : stepOver(before, longitude);
    before = longitude;
    return [longitude + offset, latitude];
  });
  const [first] = unwrapped;
  const last = unwrapped.at(-1);
  if (first === undefined || last === undefined || first[0] === last[0]) return unwrapped;
  const pole = (first[1] ?? 0) < 0 ? -90 : 90;
  return [...unwrapped, [last[0] ?? 0, pole], [first[0] ?? 0, pole], first];
};
