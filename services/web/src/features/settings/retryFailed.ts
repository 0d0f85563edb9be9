import type { Reason } from '@hearth/contract/reasons.ts';
import { call } from '../../api/client.ts';

/**
 * Has tried again whatever failed for a reason, or all of it, in as many requests as the server asks for.
 *
 * @throws ApiError as every call does; what was asked for before stays so.
 */
export const retryFailed = async (reason: Reason | undefined): Promise<void> => {
  const body = reason === undefined ? {} : { reason };
  for (;;) {
    const { retried, isComplete } = await call('POST /v1/processing/retry', { body });
    if (isComplete || retried === 0) return;
  }
};
