import { countOriginals, findScrubState } from '../features/originals/scrubState.ts';
import { metrics } from '@hearth/core/metrics/metrics.ts';
import type { Deps } from '../deps/deps.ts';

const daySeconds = 86_400;

/** Sets the metric that counts originals. It counts the rows of all items. */
export const measureOriginals = async ({ db }: Pick<Deps, 'db'>): Promise<void> => {
  for (const [state, count] of Object.entries(await countOriginals(db))) metrics.originals.set({ state }, count);
};

/** Sets the metrics of the scrub. It reads one row. */
export const measureScrub = async ({
  db,
  config,
}: Pick<Deps, 'db'> & { readonly config: Pick<Deps['config'], 'scrubDays'> }): Promise<void> => {
  const state = await findScrubState(db);
  metrics.scrubPeriod.set(config.scrubDays * daySeconds);
  metrics.scrubStopped.set(config.scrubDays > 0 && state?.stoppedAt ? 1 : 0);
  metrics.renditionsRepaired.set(state?.repairedRenditions ?? 0);
  if (state !== undefined) metrics.scrubCompleted.set((state.completedAt ?? state.startedAt).getTime() / 1_000);
};
