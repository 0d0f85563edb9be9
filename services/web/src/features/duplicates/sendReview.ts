import type { DuplicateGroup } from '@hearth/contract/duplicates.ts';
import { call } from '../../lib/api/client.ts';
import { retried } from '../../lib/changes/retried.ts';

/** What is said of a group: which of its photos are kept, that they are no duplicates, or that neither was meant. */
export type Review =
  | { readonly name: 'resolve'; readonly keep: readonly string[] }
  | { readonly name: 'dismiss' }
  | { readonly name: 'restore' };

/** A review that ended before all was done; `cause` says why. */
export class StoppedReviewError extends Error {
  override readonly name = 'StoppedReviewError';
  /** How many items had gone to the trash, or had come back, by then. */
  readonly moved: number;

  constructor(moved: number, cause: unknown) {
    super('A review of duplicates ended before all was done.', { cause });
    this.moved = moved;
  }
}

/**
 * Says it of a group, and answers how many items went to the trash or came back. What is large takes several calls; what fails leaves those before it done,
 * and can be said again.
 *
 * @throws StoppedReviewError because of an ApiError: `NOT_FOUND` when the group, or what is to be kept, is gone; `CONFLICT` when another photo has joined it.
 */
export const sendReview = async (group: Pick<DuplicateGroup, 'id' | 'revision'>, review: Review): Promise<number> => {
  for (let moved = 0; ;) {
    let step = { moved: 0, isComplete: false };
    try {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, until the server says that it is all
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
