import PQueue from 'p-queue';
import { ApiError } from '../api/apiError.ts';
import { call } from '../api/client.ts';
import { retried } from './retried.ts';

/** How many items are removed at the same time. */
const concurrency = 4;

/**
 * Removes items of the trash for good, one request each. One that is gone already counts as removed.
 *
 * @throws ApiError of the first that fails; the others are not tried any more. DOMException `AbortError` when `signal` ended it.
 */
export const deleteForGood = async (
  ids: readonly string[],
  options: { readonly signal?: AbortSignal | undefined; readonly onRemoved: (id: string) => void },
): Promise<void> => {
  const queue = new PQueue({ concurrency });
  try {
    await queue.addAll(
      ids.map((id) => async () => {
        options.signal?.throwIfAborted();
        await retried(() =>
          call('DELETE /v1/mediaItems/{id}', { params: { id }, query: { permanent: true } }).catch(allowGone),
        );
        options.onRemoved(id);
      }),
    );
  } finally {
    queue.clear();
  }
};

function allowGone(error: unknown): void {
  if (!(error instanceof ApiError && error.code === 'NOT_FOUND')) throw error;
}
