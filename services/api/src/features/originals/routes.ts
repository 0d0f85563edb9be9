import { countOriginals, findScrubState } from './scrubState.ts';
import type { Handlers } from '../../http/handle.ts';

const getOriginals: Handlers['getOriginals'] = async ({ db }) => {
  const { OK: ok, UNCHECKED: unchecked, DAMAGED: damaged, MISSING: missing } = await countOriginals(db);
  const state = await findScrubState(db);
  return {
    status: 200,
    // JSON omits undefined fields.
    body: {
      ok,
      unchecked,
      damaged,
      missing,
      repairedRenditions: state?.repairedRenditions ?? 0,
      completedAt: state?.completedAt?.toISOString(),
      stoppedAt: state?.stoppedAt?.toISOString(),
      stoppedCode: state?.stoppedCode ?? undefined,
      stoppedReason: state?.stoppedReason ?? undefined,
    },
  };
};

export const originalsHandlers = { getOriginals } satisfies Partial<Handlers>;
