import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { countJobRuns, listTerminatedPods, type JournalEntry } from './journal.ts';

const journal: readonly JournalEntry[] = [
  { at: 1, pod: 'a', event: 'begin', job: '1', activeJobs: ['1'] },
  { at: 2, pod: 'b', event: 'sigterm', activeJobs: [] },
  { at: 3, pod: 'b', event: 'closed', activeJobs: [] },
  { at: 4, pod: 'a', event: 'sigterm', activeJobs: ['1'] },
  { at: 14, pod: 'a', event: 'left', activeJobs: ['1'] },
  { at: 15, pod: 'c', event: 'begin', job: '1', activeJobs: ['1'] },
  { at: 16, pod: 'c', event: 'end', job: '1', activeJobs: ['1'] },
  { at: 17, pod: 'c', event: 'sigterm', activeJobs: ['2'] },
];

suite('journal of the drill', () => {
  test('reports the active jobs of each terminated pod, and how the pod ended', () => {
    assert.deepEqual(listTerminatedPods(journal), [
      { pod: 'b', at: 2, activeJobs: 0, endedAfterMs: 1, hasGivenUp: false },
      { pod: 'a', at: 4, activeJobs: 1, endedAfterMs: 10, hasGivenUp: true },
      { pod: 'c', at: 17, activeJobs: 1, endedAfterMs: undefined, hasGivenUp: false },
    ]);
  });

  test('reports how often each job was started and completed', () => {
    assert.deepEqual(countJobRuns(journal, ['1', '2']), [
      { begun: 2, ended: 1 },
      { begun: 0, ended: 0 },
    ]);
  });
});
