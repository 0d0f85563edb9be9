import type { ProcessingGroup } from '@hearth/contract/processing.ts';
import type { Reason } from '@hearth/contract/reasons.ts';

/** The items that failed or are blocked for one reason, of all components together. */
export interface ReasonGroup {
  readonly reason: Reason;
  /** How many items at least: one item may be in several components. */
  readonly count: number;
  readonly components: readonly ProcessingGroup['component'][];
  /** Three at most. */
  readonly examples: readonly string[];
}

/** Puts together what has the same reason, the most frequent first. */
export const groupsByReason = (groups: readonly ProcessingGroup[]): readonly ReasonGroup[] =>
  [...Map.groupBy(groups, ({ reason }) => reason)]
    .map(([reason, same]) => ({
      reason,
      count: Math.max(...same.map(({ count }) => count)),
      components: same.map(({ component }) => component),
      examples: [...new Set(same.flatMap(({ examples }) => examples))].slice(0, 3),
    }))
    .toSorted((one, other) => other.count - one.count);
