/** Whether a found value agrees with the expected one. */
export type Agrees = (found: unknown, expected: unknown) => boolean;

/** Numbers agree within a tolerance that follows from the expected one; other values when they are equal. */
export const within =
  (tolerance: (expected: number) => number): Agrees =>
  (found, expected) =>
    typeof found === 'number' && typeof expected === 'number'
      ? Math.abs(found - expected) <= tolerance(expected)
      : found === expected;

/** Numbers agree within one percent. */
export const onePercent = within((expected) => Math.abs(expected) * 0.01);

/** Latitudes and longitudes agree within about ten metres. */
export const degrees = within(() => 0.0001);

/** Durations agree within a tenth of a second, or two percent. */
export const duration = within((expected) => Math.max(0.1, expected * 0.02));

/** Frame rates agree within two percent. */
export const frameRate = within((expected) => expected * 0.02);

/** Times agree to the second, since fractions are optional. An expected day agrees with every hour of it. */
export const sameSecond: Agrees = (found, expected) =>
  typeof found === 'string' && typeof expected === 'string'
    ? found.startsWith(expected.slice(0, 19).replace(/Z$/, ''))
    : found === expected;
