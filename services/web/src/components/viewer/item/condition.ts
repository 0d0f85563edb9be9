import type { ComponentRun } from '@hearth/contract/mediaItem.ts';
import type { ViewedItem } from './viewedItem.ts';

/** How far an item has come to be shown. */
export type Condition =
  /** The item can be shown. */
  | { readonly kind: 'shown' }
  /** The item is not ready yet: its runs wait, or a worker is working on them. */
  | { readonly kind: 'processing' }
  /** A run is blocked. It goes on by itself when the installation has what it lacks now. */
  | { readonly kind: 'waiting'; readonly reason: ComponentRun['reason'] }
  /** The item cannot be shown, for this reason. */
  | { readonly kind: 'failed'; readonly reason: ComponentRun['reason'] };

/** The steps without which an item is not shown, the more telling first. */
const needed = ['PREVIEW_THUMBNAIL', 'METADATA'] as const;

/** Whether an item can be shown, else why it cannot. */
export const conditionOf = (item: Pick<ViewedItem, 'status' | 'processing' | 'mediaItemType'>): Condition => {
  if (item.status === undefined || item.status === 'READY') return { kind: 'shown' };
  const runs = needed.flatMap((component) => item.processing?.find((run) => run.component === component) ?? []);
  if (item.status === 'FAILED') {
    return { kind: 'failed', reason: runs.find(({ state }) => state === 'FAILED')?.reason ?? runs[0]?.reason };
  }
  const blocked = runs.find(({ state }) => state === 'BLOCKED');
  return blocked === undefined ? { kind: 'processing' } : { kind: 'waiting', reason: blocked.reason };
};

/** How far a version of a video that browsers play has come. */
export type Transcoding =
  | { readonly kind: 'waiting' | 'done' }
  | { readonly kind: 'running'; readonly percent: number | undefined }
  | { readonly kind: 'stopped'; readonly reason: ComponentRun['reason'] };

/** How far a video has come to be played; visitors are not told, to them it is done. */
export const transcodingOf = (item: Pick<ViewedItem, 'previewUrl' | 'processing'>): Transcoding => {
  const run = item.processing?.find(({ component }) => component === 'TRANSCODE');
  if (item.previewUrl !== undefined || run === undefined) return { kind: 'done' };
  switch (run.state) {
    case 'PENDING':
      return { kind: 'waiting' };
    case 'RUNNING':
      return { kind: 'running', percent: run.progress };
    case 'DONE':
      return { kind: 'done' };
    case 'FAILED':
    case 'SKIPPED':
    case 'BLOCKED':
      return { kind: 'stopped', reason: run.reason };
  }
};
