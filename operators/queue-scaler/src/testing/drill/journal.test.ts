import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { jobRuns, takenPods, type JournalEntry } from './journal.ts';

const journal: readonly JournalEntry[] = [
  { at: 1, pod: 'a', event: 'begin', job: '1', inHand: ['1'] },
  { at: 2, pod: 'b', event: 'sigterm', inHand: [] },
  { at: 3, pod: 'b', event: 'closed', inHand: [] },
  { at: 4, pod: 'a', event: 'sigterm', inHand: ['1'] },
  { at: 14, pod: 'a', event: 'left', inHand: ['1'] },
  { at: 15, pod: 'c', event: 'begin', job: '1', inHand: ['1'] },
  { at: 16, pod: 'c', event: 'end', job: '1', inHand: ['1'] },
  { at: 17, pod: 'c', event: 'sigterm', inHand: ['2'] },
];

suite('the journal of the drill', () => {
  test('tells which pods were at work when they were taken, and what became of them', () => {
    assert.deepEqual(takenPods(journal), [
      { pod: 'b', at: 2, inHand: 0, endedAfterMs: 1, hasLeft: false },
      { pod: 'a', at: 4, inHand: 1, endedAfterMs: 10, hasLeft: true },
      { pod: 'c', at: 17, inHand: 1, endedAfterMs: undefined, hasLeft: false },
    ]);
  });

  test('tells how often jobs were begun and ended', () => {
    assert.deepEqual(jobRuns(journal, ['1', '2']), [
      { begun: 2, ended: 1 },
      { begun: 0, ended: 0 },
    ]);
  });
});
