import type { Outcome } from '@hearth/core/db/runs/runOutcomes.ts';
import type { ItemContext } from './context/component.ts';

/**
 * Answers the outcome if the local file still is what was uploaded, else a retry, for which the file is fetched anew. All bytes are compared for an
 * outcome that calls the file damaged or of an unknown kind, and only the length for every other outcome.
 */
export const verifyOriginal = async (outcome: Outcome, { isOriginalWhole }: ItemContext): Promise<Outcome> => {
  if (outcome.state === 'RETRY' || outcome.state === 'POSTPONED') return outcome;
  const isVerdict = outcome.state === 'DONE' ? outcome.warnings.length > 0 : outcome.state !== 'SKIPPED';
  return (await isOriginalWhole(isVerdict ? 'bytes' : 'length')) ? outcome : { state: 'RETRY', reason: 'UNREADABLE' };
};
