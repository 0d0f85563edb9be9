import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { decide, type DecisionReason } from '../decide/decide.ts';
import { makeHistory, now, makeObservation, makeSpec } from './specs.ts';

export interface Case {
  readonly name: string;
  readonly spec?: Parameters<typeof makeSpec>[0];
  readonly seen: Parameters<typeof makeObservation>[0];
  readonly history?: Parameters<typeof makeHistory>[0];
  /** Expected replicas and reason. */
  readonly expected: readonly [number, DecisionReason];
}

/** Returns the time this many seconds before the decision. */
export const ago = (seconds: number): number => now - seconds * 1_000;

/** Behavior that scales down immediately. */
export const quick = { behavior: { scaleDown: { stabilizationWindowSeconds: 0, maxPods: 100 } } };

/** Returns the fields of an observation of busy pods with one active job each. */
export const makeBusyObservation = (busyPods: number) => ({ busyPods, queue: { active: busyPods } });

/** Runs a test for each case. */
export const testCases = (title: string, cases: readonly Case[]): void => {
  suite(title, () => {
    for (const { name, spec, seen, history, expected } of cases) {
      test(name, () => {
        const { replicas, reason } = decide(makeSpec(spec), makeObservation(seen), makeHistory(history), now);
        assert.deepEqual([replicas, reason], expected);
      });
    }
  });
};
