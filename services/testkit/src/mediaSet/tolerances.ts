/** Returns true if an actual value matches the expected one. */
export type Agrees = (found: unknown, expected: unknown) => boolean;

/** Compares numbers with a tolerance that depends on the expected one, and other values for equality. */
export const within =
  (tolerance: (expected: number) => number): Agrees =>
  (found, expected) =>
    typeof found === 'number' && typeof expected === 'number'
      ? Math.abs(found - expected) <= tolerance(expected)
      : found === expected;

/** Tolerance: one percent. */
export const onePercent = within((expected) => Math.abs(expected) * 0.01);

/** Tolerance of latitude and longitude: about ten metres. */
export const degrees = within(() => 0.0001);

/** Tolerance of durations: a tenth of a second or two percent, whichever is longer. */
export const duration = within((expected) => Math.max(0.1, expected * 0.02));

/** Tolerance of frame rates: two percent. */
export const frameRate = within((expected) => expected * 0.02);

/** Compares to the second, because fractions are optional. An expected date matches every time of that day. */
export const sameSecond: Agrees = (found, expected) =>
  typeof found === 'string' && typeof expected === 'string'
    ? found.startsWith(expected.slice(0, 19).replace(/Z$/, ''))
    : found === expected;
