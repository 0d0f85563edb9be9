import type { Candidates } from './candidates.ts';
import { prepareVectors, type Prepared } from './prepareVectors.ts';
import { signatureCandidates } from './signatureCandidates.ts';
import { vectorCandidates } from './vectorCandidates.ts';

/** Candidates by the best that the server has. */
export interface ServerCandidates extends Candidates {
  /** Finds out what the server has and prepares it; may take long, and may be called again after an error. Signatures serve until then. */
  prepare(url: string, options?: { readonly signal?: AbortSignal }): Promise<Prepared>;
}

/** Begins with signatures, which are there always. */
export const openCandidates = (): ServerCandidates => {
  let current = signatureCandidates;
  return {
    list: (db, question) => current.list(db, question),
    prepare: async (url, options) => {
      const prepared = await prepareVectors(url, options);
      current = prepared.hasVectors ? vectorCandidates() : signatureCandidates;
      return prepared;
    },
  };
};
