import type { ComponentRun } from '@hearth/contract/mediaItem.ts';
import { describe, expect, test } from 'vitest';
import { getCondition, getTranscoding } from './condition.ts';

const run = (component: ComponentRun['component'], fields: Partial<ComponentRun>): ComponentRun => ({
  component,
  state: 'DONE',
  attempts: 1,
  ...fields,
});

const item = (status: 'READY' | 'PROCESSING' | 'FAILED' | undefined, ...processing: readonly ComponentRun[]) =>
  getCondition({ status, processing: [...processing], mediaItemType: 'PHOTO' });

describe('condition of an item', () => {
  test('shows ready items, and items without a status, as visitors receive them', () => {
    expect(item('READY')).toEqual({ kind: 'shown' });
    expect(item(undefined)).toEqual({ kind: 'shown' });
  });

  test('prefers the failure reason of the preview', () => {
    const failed = item(
      'FAILED',
      run('METADATA', { state: 'FAILED', reason: 'TIMED_OUT' }),
      run('PREVIEW_THUMBNAIL', { state: 'FAILED', reason: 'TOO_LARGE' }),
    );
    expect(failed).toEqual({ kind: 'failed', reason: 'TOO_LARGE' });
  });

  test('reports the reason of a blocked item only', () => {
    expect(item('PROCESSING', run('PREVIEW_THUMBNAIL', { state: 'BLOCKED', reason: 'NO_SPACE' }))).toEqual({
      kind: 'waiting',
      reason: 'NO_SPACE',
    });
    expect(item('PROCESSING', run('PREVIEW_THUMBNAIL', { state: 'RUNNING' }))).toEqual({ kind: 'processing' });
  });
});

describe('transcoding of a video', () => {
  test.each([
    [
      'reports the progress of a running transcode',
      run('TRANSCODE', { state: 'RUNNING', progress: 42 }),
      { kind: 'running', percent: 42 },
    ],
    ['is waiting while the run is pending', run('TRANSCODE', { state: 'PENDING' }), { kind: 'waiting' }],
    [
      'reports the reason of a failure',
      run('TRANSCODE', { state: 'FAILED', reason: 'CORRUPT' }),
      { kind: 'stopped', reason: 'CORRUPT' },
    ],
  ])('%s', (_, transcode, expected) => {
    expect(getTranscoding({ previewUrl: undefined, processing: [transcode] })).toEqual(expected);
  });

  test('is done when it is playable, even during reprocessing', () => {
    expect(getTranscoding({ previewUrl: '/v1/files/a', processing: [run('TRANSCODE', { state: 'RUNNING' })] })).toEqual(
      {
        kind: 'done',
      },
    );
  });

  test('is done for visitors', () => {
    expect(getTranscoding({ previewUrl: undefined, processing: undefined })).toEqual({ kind: 'done' });
  });
});
