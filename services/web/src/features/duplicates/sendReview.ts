import type { DuplicateGroup } from '@hearth/contract/duplicates.ts';
import { call } from '../../lib/api/client.ts';
import { retry } from '../../lib/changes/retry.ts';

/** Review of a group: keep some of its photos, mark all as not duplicates, or undo either. */
export type Review =
  | { readonly name: 'resolve'; readonly keep: readonly string[] }
  | { readonly name: 'dismiss' }
  | { readonly name: 'restore' };

/** Error of a review that failed before it was complete. `cause` contains the reason. */
export class StoppedReviewError extends Error {
  override readonly name = 'StoppedReviewError';
  /** Number of items moved to the trash, or restored, before the failure. */
  readonly movedCount: number;

  constructor(movedCount: number, cause: unknown) {
    super('Review of duplicates failed before it was complete.', { cause });
    this.movedCount = movedCount;
  }
}

/**
 * Sends a review and returns how many items were moved to the trash or restored. Large groups take several requests.
 * After a failure, the items moved so far stay moved, and the review can be repeated.
 *
 * @throws StoppedReviewError caused by an ApiError: `NOT_FOUND` if the group or an item to keep does not exist;
 * `CONFLICT` if another photo has joined the group
 */
export const sendReview = async (group: Pick<DuplicateGroup, 'id' | 'revision'>, review: Review): Promise<number> => {
  for (let movedCount = 0; ;) {
    let step = { movedCount: 0, isComplete: false };
    try {
      // oxlint-disable-next-line no-await-in-loop -- each request continues where the previous one stopped
      await retry(async () => {
        step = await sendStep(group, review);
      });
    } catch (error) {
      throw new StoppedReviewError(movedCount, error);
    }
    movedCount += step.movedCount;
    if (step.isComplete) return movedCount;
  }
};

const sendStep = async (
  { id, revision }: Pick<DuplicateGroup, 'id' | 'revision'>,
  review: Review,
): Promise<{ readonly movedCount: number; readonly isComplete: boolean }> => {
  const params = { id };
  switch (review.name) {
    case 'dismiss':
      await call('POST /v1/duplicates/{id}/dismiss', { params, body: { revision } });
      return { movedCount: 0, isComplete: true };
    case 'resolve': {
      const body = { keep: [...review.keep], revision };
      const { trashed, isComplete } = await call('POST /v1/duplicates/{id}/resolve', { params, body });
      return { movedCount: trashed, isComplete };
    }
    case 'restore': {
      const { restored, isComplete } = await call('POST /v1/duplicates/{id}/restore', { params });
      return { movedCount: restored, isComplete };
    }
  }
};
