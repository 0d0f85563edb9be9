import { describe, expect, test } from 'vitest';
import { maxAttempts, nextUploadFile, type FileEvent, type Stage, type UploadFile } from './uploadFile.ts';
import {
  emptyPlan,
  listFilesAt,
  filesToCheck,
  isPlanBusy,
  isPlanSettled,
  nextPlan,
  getProgress,
} from './uploadPlan.ts';

const file = (fields: Partial<UploadFile> = {}): UploadFile => ({
  path: 'Trip/IMG_1.jpg',
  sizeBytes: 100,
  lastModified: 1,
  stage: 'queued',
  sentBytes: 0,
  attempts: 0,
  ...fields,
});
const after = (start: UploadFile, ...events: readonly FileEvent[]): UploadFile => events.reduce(nextUploadFile, start);
const failEvent = (reason: 'server' | 'unreachable'): FileEvent => ({ kind: 'hindered', reason, retryAtMs: 5 });

describe('upload file', () => {
  test('passes all stages from the queue to the library', () => {
    const sent = after(
      file(),
      { kind: 'hashBegan' },
      { kind: 'hashed', checksum: 'ab' },
      { kind: 'checkBegan' },
      { kind: 'absent' },
      { kind: 'sendBegan' },
      { kind: 'begun', url: '/v1/uploads/1' },
      { kind: 'progressed', sentBytes: 40 },
      { kind: 'sent' },
    );
    expect(sent).toMatchObject({ stage: 'done', sentBytes: 100 });
  });

  const steps: readonly [string, Partial<UploadFile>, FileEvent, Stage][] = [
    ['is not sent if the library contains it', { stage: 'checking' }, { kind: 'existing' }, 'existing'],
    [
      'is checked again if interrupted before the server created the upload',
      { stage: 'sending', checksum: 'a' },
      { kind: 'interrupted' },
      'hashed',
    ],
    [
      'resumes at its URL if interrupted later',
      { stage: 'sending', checksum: 'a', url: '/u' },
      { kind: 'interrupted' },
      'ready',
    ],
    [
      'is checked again if the server lost the upload',
      { stage: 'sending', checksum: 'a', url: '/u' },
      { kind: 'lost' },
      'hashed',
    ],
    [
      'is read again if it changed on disk',
      { stage: 'sending', checksum: 'a' },
      { kind: 'changed', sizeBytes: 7, lastModified: 9 },
      'queued',
    ],
    ['is read if restored without a checksum', { stage: 'missing' }, { kind: 'found' }, 'queued'],
    ['is checked if restored with a checksum', { stage: 'missing', checksum: 'a' }, { kind: 'found' }, 'hashed'],
    ['is checked again if the user retries it', { stage: 'failed', checksum: 'a' }, { kind: 'retried' }, 'hashed'],
    ['stays refused on retry', { stage: 'refused', reason: 'notMedia' }, { kind: 'retried' }, 'refused'],
    ['ignores events after it was cancelled', { stage: 'cancelled' }, { kind: 'sent' }, 'cancelled'],
    ['stays missing if interrupted', { stage: 'missing' }, { kind: 'interrupted' }, 'missing'],
  ];
  test.each(steps)('%s', (_, start, event, stage) => {
    expect(after(file(start), event).stage).toBe(stage);
  });

  test('fails after too many attempts, but not while the server is unreachable', () => {
    expect([failRepeatedly('server'), failRepeatedly('unreachable')]).toEqual(['failed', 'waiting']);
  });

  test('fails when it is modified during every attempt', () => {
    let next = file();
    for (let i = 0; i < maxAttempts; i += 1) {
      expect(next.stage).toBe('queued');
      next = after(next, { kind: 'hashBegan' }, { kind: 'changed', sizeBytes: 100, lastModified: 2 + i });
    }
    expect(next).toMatchObject({ stage: 'failed', reason: 'unreadable', lastModified: 1 + maxAttempts });
  });

  test('discards its upload state when it was modified', () => {
    const changed = after(file({ stage: 'sending', checksum: 'a', url: '/u', sentBytes: 50 }), {
      kind: 'changed',
      sizeBytes: 7,
      lastModified: 9,
    });
    expect(changed).toMatchObject({ checksum: undefined, url: undefined, sentBytes: 0, sizeBytes: 7 });
  });
});

describe('upload plan', () => {
  test('counts files and bytes by stage', () => {
    let plan = makePlan(file(), file({ sizeBytes: 50 }), file({ stage: 'refused', sizeBytes: 9 }));
    plan = nextPlan(plan, [
      { kind: 'file', id: 1, event: { kind: 'hashBegan' } },
      { kind: 'file', id: 0, event: { kind: 'cancelled' } },
    ]);
    expect(plan.tallies.hashing).toEqual({ files: 1, bytes: 50, sentBytes: 0 });
    expect(getProgress(plan)).toEqual({ files: 2, settledFiles: 1, bytes: 59, settledBytes: 9 });
    expect([isPlanBusy(plan), isPlanSettled(plan)]).toEqual([true, false]);
  });

  test('finds files that return to an earlier stage', () => {
    let plan = makePlan(...Array.from({ length: 5 }, () => file()));
    plan = nextPlan(plan, [startEvent(0), startEvent(1), startEvent(2)]);
    expect(listFilesAt(plan, 'queued', 1)).toEqual([3]);
    plan = nextPlan(plan, [{ kind: 'file', id: 1, event: { kind: 'interrupted' } }]);
    expect(listFilesAt(plan, 'queued')).toEqual([1, 3, 4]);
    expect(listFilesAt(plan, 'hashing')).toEqual([0, 2]);
  });

  test('checks one of several files with the same content, and the others after its upload', () => {
    const plan = makePlan(
      file({ stage: 'hashed', checksum: 'a' }),
      file({ stage: 'hashed', checksum: 'a' }),
      file({ stage: 'hashed', checksum: 'b' }),
    );
    expect(filesToCheck(plan, 10)).toEqual([0, 2]);
    const sending = makePlan(file({ stage: 'sending', checksum: 'a' }), file({ stage: 'hashed', checksum: 'a' }));
    expect(filesToCheck(sending, 10)).toEqual([]);
    const sent = nextPlan(sending, [{ kind: 'file', id: 0, event: { kind: 'sent' } }]);
    expect(filesToCheck(sent, 10)).toEqual([1]);
  });

  test('is neither busy nor settled with only missing files', () => {
    const plan = makePlan(file({ stage: 'missing' }), file({ stage: 'done' }));
    expect([isPlanBusy(plan), isPlanSettled(plan)]).toEqual([false, false]);
  });
});

const failRepeatedly = (reason: 'server' | 'unreachable'): Stage => {
  let next = file({ checksum: 'a' });
  for (let i = 0; i < maxAttempts; i += 1) next = after({ ...next, stage: 'sending' }, failEvent(reason));
  return next.stage;
};

const makePlan = (...files: readonly UploadFile[]) => nextPlan(emptyPlan, [{ kind: 'added', files }]);

const startEvent = (id: number) => ({ kind: 'file', id, event: { kind: 'hashBegan' } }) as const;
