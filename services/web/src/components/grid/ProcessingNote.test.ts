import type { ComponentRun } from '@hearth/contract/mediaItem.ts';
import { expect, it } from 'vitest';
import { getWaitReason } from './ProcessingNote.tsx';

const run = (component: ComponentRun['component'], state: ComponentRun['state']): ComponentRun => ({
  component,
  state,
  attempts: 1,
});

it.each<[string, readonly ComponentRun[], ReturnType<typeof getWaitReason>]>([
  ['a free slot', [run('METADATA', 'PENDING'), run('PREVIEW_THUMBNAIL', 'PENDING')], 'turn'],
  ['its metadata', [run('METADATA', 'RUNNING'), run('PREVIEW_THUMBNAIL', 'PENDING')], 'details'],
  ['its picture', [run('METADATA', 'DONE'), run('PREVIEW_THUMBNAIL', 'RUNNING')], 'picture'],
  ['a missing program', [run('METADATA', 'DONE'), run('PREVIEW_THUMBNAIL', 'BLOCKED')], 'blocked'],
  [
    'a step that grids do not show',
    [run('METADATA', 'DONE'), run('PREVIEW_THUMBNAIL', 'DONE'), run('OCR', 'RUNNING')],
    'unknown',
  ],
])('waits for %s', (_, processing, expected) => {
  expect(getWaitReason({ processing: [...processing] })).toBe(expected);
});
