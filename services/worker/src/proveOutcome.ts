import type { Outcome } from '@hearth/core/db/runs/runOutcomes.ts';
import type { ItemContext } from './component.ts';

/**
 * The outcome if it may stand: that a file is damaged, or of no kind that is known, needs the proof that its bytes were the ones that were
 * uploaded, and every other result that there were as many. Else another try, with the file fetched anew.
 */
export const proveOutcome = async (outcome: Outcome, { isOriginalWhole }: ItemContext): Promise<Outcome> => {
  if (outcome.state === 'RETRY' || outcome.state === 'POSTPONED') return outcome;
  const isVerdict = outcome.state === 'DONE' ? outcome.warnings.length > 0 : outcome.state !== 'SKIPPED';
  return (await isOriginalWhole(isVerdict ? 'bytes' : 'length')) ? outcome : { state: 'RETRY', reason: 'UNREADABLE' };
};
