/** A test that was skipped: the line that names it, and the reason. */
export interface SkippedTest {
  readonly line: string;
  readonly reason: string;
}

/** Returns the lines of a summary: a test by its name and reason, or one line with the count for several tests with the same reason. */
export const describeSkips = (tests: readonly SkippedTest[]): string[] =>
  [...Map.groupBy(tests, ({ reason }) => reason)].map(([reason, [first, ...others]]) =>
    others.length === 0 ? `${first!.line} (${reason})` : `${others.length + 1} tests: ${reason}`,
  );
