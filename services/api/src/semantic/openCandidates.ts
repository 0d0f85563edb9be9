import type { Candidates } from './candidates.ts';
import { prepareVectors, type Prepared } from './prepareVectors.ts';
import { signatureCandidates } from './signatureCandidates.ts';
import { vectorCandidates } from './vectorCandidates.ts';

/** Uses the best candidate search that the server supports. */
export interface ServerCandidates extends Candidates {
  /**
   * Detects and prepares pgvector. May take long, and may be repeated after an error. Until then, signatures are used.
   */
  prepare(url: string, options?: { readonly signal?: AbortSignal }): Promise<Prepared>;
}

/** Starts with signatures, which are always available. */
export const openCandidates = (): ServerCandidates => {
  let current = signatureCandidates;
  return {
    list: (db, query) => current.list(db, query),
    prepare: async (url, options) => {
      const prepared = await prepareVectors(url, options);
      current = prepared.hasVectors ? vectorCandidates() : signatureCandidates;
      return prepared;
    },
  };
};
