import type { ComponentRun } from '@hearth/contract/mediaItem.ts';
import { describe, expect, test } from 'vitest';
import { conditionOf, transcodingOf } from './condition.ts';

const run = (component: ComponentRun['component'], fields: Partial<ComponentRun>): ComponentRun => ({
  component,
  state: 'DONE',
  attempts: 1,
  ...fields,
});

const item = (status: 'READY' | 'PROCESSING' | 'FAILED' | undefined, ...processing: readonly ComponentRun[]) =>
  conditionOf({ status, processing: [...processing], mediaItemType: 'PHOTO' });

describe('an item is shown, or it is said why not', () => {
  test('what is ready is shown, and what visitors see, of which they are told no status', () => {
    expect(item('READY')).toEqual({ kind: 'shown' });
    expect(item(undefined)).toEqual({ kind: 'shown' });
  });

  test('a failure has the reason of the preview rather than that of the details', () => {
    const failed = item(
      'FAILED',
      run('METADATA', { state: 'FAILED', reason: 'TIMED_OUT' }),
      run('PREVIEW_THUMBNAIL', { state: 'FAILED', reason: 'TOO_LARGE' }),
    );
    expect(failed).toEqual({ kind: 'failed', reason: 'TOO_LARGE' });
  });

  test('what is on hold says what it waits for, and what is being done says nothing more', () => {
    expect(item('PROCESSING', run('PREVIEW_THUMBNAIL', { state: 'BLOCKED', reason: 'NO_SPACE' }))).toEqual({
      kind: 'waiting',
      reason: 'NO_SPACE',
    });
    expect(item('PROCESSING', run('PREVIEW_THUMBNAIL', { state: 'RUNNING' }))).toEqual({ kind: 'processing' });
  });
});

describe('a video', () => {
  test.each([
    [
      'that is being prepared says how far it is',
      run('TRANSCODE', { state: 'RUNNING', progress: 42 }),
      { kind: 'running', percent: 42 },
    ],
    ['that waits says so', run('TRANSCODE', { state: 'PENDING' }), { kind: 'waiting' }],
    [
      'that cannot be prepared says why',
      run('TRANSCODE', { state: 'FAILED', reason: 'CORRUPT' }),
      { kind: 'stopped', reason: 'CORRUPT' },
    ],
  ])('%s', (_, transcode, expected) => {
    expect(transcodingOf({ previewUrl: undefined, processing: [transcode] })).toEqual(expected);
  });

  test('that can be played is done, whatever is being made anew', () => {
    expect(transcodingOf({ previewUrl: '/v1/files/a', processing: [run('TRANSCODE', { state: 'RUNNING' })] })).toEqual({
      kind: 'done',
    });
  });

  test('of a visitor is done', () => {
    expect(transcodingOf({ previewUrl: undefined, processing: undefined })).toEqual({ kind: 'done' });
  });
});
