import type { ComponentRun } from '@hearth/contract/mediaItem.ts';
import type { ViewedItem } from './viewedItem.ts';

/** Readiness of an item for the viewer. */
export type Condition =
  | { readonly kind: 'shown' }
  /** The item's runs are pending or running. */
  | { readonly kind: 'processing' }
  /** A run is blocked. It starts automatically once the missing model, program or disk space is available. */
  | { readonly kind: 'waiting'; readonly reason: ComponentRun['reason'] }
  | { readonly kind: 'failed'; readonly reason: ComponentRun['reason'] };

/** Components that an item needs to be shown, most informative first. */
const requiredComponents = ['PREVIEW_THUMBNAIL', 'METADATA'] as const;

export const getCondition = (item: Pick<ViewedItem, 'status' | 'processing' | 'mediaItemType'>): Condition => {
  if (item.status === undefined || item.status === 'READY') return { kind: 'shown' };
  const runs = requiredComponents.flatMap(
    (component) => item.processing?.find((run) => run.component === component) ?? [],
  );
  if (item.status === 'FAILED') {
    return { kind: 'failed', reason: runs.find(({ state }) => state === 'FAILED')?.reason ?? runs[0]?.reason };
  }
  const blocked = runs.find(({ state }) => state === 'BLOCKED');
  return blocked === undefined ? { kind: 'processing' } : { kind: 'waiting', reason: blocked.reason };
};

/** State of the browser-playable version of a video. */
export type Transcoding =
  | { readonly kind: 'waiting' | 'done' }
  | { readonly kind: 'running'; readonly percent: number | undefined }
  | { readonly kind: 'stopped'; readonly reason: ComponentRun['reason'] };

/** Returns the transcoding state. Visitors receive no runs: their videos count as done. */
export const getTranscoding = (item: Pick<ViewedItem, 'previewUrl' | 'processing'>): Transcoding => {
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
