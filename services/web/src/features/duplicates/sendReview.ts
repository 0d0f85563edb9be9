import type { DuplicateGroup } from '@hearth/contract/duplicates.ts';
import { call } from '../../lib/api/client.ts';
import { retried } from '../../lib/changes/retried.ts';

/** Review of a group: keep some of its photos, dismiss it as no duplicates, or undo either. */
export type Review =
  | { readonly name: 'resolve'; readonly keep: readonly string[] }
  | { readonly name: 'dismiss' }
  | { readonly name: 'restore' };

/** A review that failed before its completion; the reason is in `cause`. */
export class StoppedReviewError extends Error {
  override readonly name = 'StoppedReviewError';
  /** Number of items moved to the trash, or restored, before the failure. */
  readonly moved: number;

  constructor(moved: number, cause: unknown) {
    super('A review of duplicates ended before all was done.', { cause });
    this.moved = moved;
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
  for (let moved = 0; ;) {
    let step = { moved: 0, isComplete: false };
    try {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, until the review is complete
      await retried(async () => {
        step = await sendStep(group, review);
      });
    } catch (error) {
      throw new StoppedReviewError(moved, error);
    }
    moved += step.moved;
    if (step.isComplete) return moved;
  }
};

const sendStep = async (
  { id, revision }: Pick<DuplicateGroup, 'id' | 'revision'>,
  review: Review,
): Promise<{ readonly moved: number; readonly isComplete: boolean }> => {
  const params = { id };
  switch (review.name) {
    case 'dismiss':
      await call('POST /v1/duplicates/{id}/dismiss', { params, body: { revision } });
      return { moved: 0, isComplete: true };
    case 'resolve': {
      const body = { keep: [...review.keep], revision };
      const { trashed, isComplete } = await call('POST /v1/duplicates/{id}/resolve', { params, body });
      return { moved: trashed, isComplete };
    }
    case 'restore': {
      const { restored, isComplete } = await call('POST /v1/duplicates/{id}/restore', { params });
      return { moved: restored, isComplete };
    }
  }
};
