import type { Outcome } from '@hearth/core/db/runs/runOutcomes.ts';
import type { ItemContext } from './context/component.ts';

/**
 * Answers the outcome where the local file proves to be what was uploaded, else another try with the file fetched anew. For an outcome that calls the
 * file damaged or of an unknown kind all bytes are compared, for every other one the length.
 */
export const verifyOriginal = async (outcome: Outcome, { isOriginalWhole }: ItemContext): Promise<Outcome> => {
  if (outcome.state === 'RETRY' || outcome.state === 'POSTPONED') return outcome;
  const isVerdict = outcome.state === 'DONE' ? outcome.warnings.length > 0 : outcome.state !== 'SKIPPED';
  return (await isOriginalWhole(isVerdict ? 'bytes' : 'length')) ? outcome : { state: 'RETRY', reason: 'UNREADABLE' };
};
