import PQueue from 'p-queue';
import { ApiError } from '../api/apiError.ts';
import { call } from '../api/client.ts';
import { retry } from './retry.ts';

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
        await retry(() =>
          call('DELETE /v1/mediaItems/{id}', { params: { id }, query: { permanent: true } }).catch(ignoreNotFound),
        );
        options.onRemoved(id);
      }),
    );
  } finally {
    queue.clear();
  }
};

function ignoreNotFound(error: unknown): void {
  if (!(error instanceof ApiError && error.code === 'NOT_FOUND')) throw error;
}
