import PQueue from 'p-queue';
import { ApiError } from '../api/apiError.ts';
import { call } from '../api/client.ts';
import { retried } from './retried.ts';

const concurrency = 4;

/**
 * Deletes items permanently from the trash, one request each. An item that does not exist counts as removed.
 *
 * @throws ApiError of the first request that fails, after which no others start; DOMException `AbortError` if `signal`
 * is aborted
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
