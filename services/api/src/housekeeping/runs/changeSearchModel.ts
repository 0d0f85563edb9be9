import { deleteEarlierEmbeddings, listModelChanges, stepModelChange } from '../../semantic/answeringModel.ts';
import { type Lease, underLease } from '../leases/leases.ts';
import { findPool } from '@hearth/core/config/pipeline.ts';
import type { Deps } from '../../deps/deps.ts';
import { enqueueRuns } from './enqueueRuns.ts';

/** Re-embeds pictures only while the queue has fewer jobs than this. Keeps the queue short for uploads. */
const maxQueued = 500;

/**
 * Moves libraries to the configured search model, a few pictures at a time and with lower priority than uploads,
 * see [Note: Change of model]. If nothing has changed, costs a single query.
 */
export const changeSearchModel = async (
  deps: Pick<Deps, 'db' | 'queues' | 'log' | 'config'>,
  lease: Lease,
): Promise<void> => {
  const { db, log, config } = deps;
  const pool = findPool('SEARCH', 'PHOTO')!;
  for (const userId of await listModelChanges(db, config.searchModel)) {
    const capacity = Math.max(0, maxQueued - (await deps.queues.depth(pool)));
    if (capacity > 0) {
      const { runs, isSwitched } = await underLease(db, lease, (trx) =>
        stepModelChange(trx, userId, config.searchModel, capacity),
      );
      if (runs.length > 0) log.info({ items: runs.length }, 'started embedding pictures with another model');
      if (isSwitched) log.info({ model: config.searchModel }, 'library switched to another search model');
      await enqueueRuns(deps, runs);
    }
    await underLease(db, lease, (trx) => deleteEarlierEmbeddings(trx, userId));
  }
};
