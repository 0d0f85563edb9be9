import type { Outcome } from '@hearth/core/runs/runOutcomes.ts';
import type { ItemContext } from '../context/component.ts';

/**
 * Returns the outcome if the local file still is what was uploaded, else a retry, which fetches the file again. Compares all bytes for an
 * outcome that calls the file damaged or of an unknown kind, and only the length for every other outcome.
 */
export const verifyOriginal = async (outcome: Outcome, { findOriginalFault }: ItemContext): Promise<Outcome> => {
  if (outcome.state === 'RETRY' || outcome.state === 'POSTPONED') return outcome;
  const isVerdict = outcome.state === 'DONE' ? outcome.warnings.length > 0 : outcome.state !== 'SKIPPED';
  const reason = await findOriginalFault(isVerdict ? 'bytes' : 'length');
  return reason === undefined ? outcome : { state: 'RETRY', reason };
};
