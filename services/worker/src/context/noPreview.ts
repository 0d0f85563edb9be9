import { listRuns } from '@hearth/core/runs/componentRuns.ts';
import type { Database } from '@hearth/core/db/database.ts';
import type { Outcome } from '@hearth/core/runs/runOutcomes.ts';

/** An item has no preview. A run that needs one ends as the run of PREVIEW_THUMBNAIL has ended. */
export class NoPreviewError extends Error {
  readonly outcome: Outcome;
  constructor(outcome: Outcome) {
    super('the item has no preview');
    this.name = 'NoPreviewError';
    this.outcome = outcome;
  }
}

/** Why an item has no preview. */
export const findNoPreview = async (db: Database, mediaItemId: string): Promise<NoPreviewError> => {
  const run = (await listRuns(db, mediaItemId)).find(({ component }) => component === 'PREVIEW_THUMBNAIL');
  const reason = run?.reason ?? 'INTERNAL';
  if (run?.state === 'BLOCKED' && run.blocked_on !== null)
    return new NoPreviewError({ state: 'BLOCKED', reason, blockedOn: run.blocked_on });
  if (run?.state === 'FAILED') return new NoPreviewError({ state: 'FAILED', reason });
  return new NoPreviewError({ state: 'RETRY', reason });
};
