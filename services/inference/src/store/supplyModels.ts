import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@hearth/core/log/log.ts';
import type { ModelName } from '../models/models.ts';
import { MissingModelError } from './missingModel.ts';
import type { ModelStore } from './modelStore.ts';
import { obtainModel } from './obtainModel.ts';

/** Fetches missing models on demand. */
export interface ModelSupply {
  /** Requests fetching, and triggers a check now. */
  want(): void;
  /**
   * Calls `look` periodically until the signal is aborted. `look` gets true if models were requested, and returns true if
   * any is missing.
   */
  watch(look: (isWanted: boolean) => Promise<boolean>): Promise<void>;
}

export interface ModelSupplyOptions {
  readonly store: ModelStore;
  readonly models: readonly ModelName[];
  readonly log: Log;
  /** Interval of checks, and delay before the first retry of a failed fetch, in ms. */
  readonly lookMs: number;
  readonly signal: AbortSignal;
}

/** Maximum delay between two fetch attempts, in ms. The delay doubles after each failure. */
const maxWaitMs = 60 * 60 * 1_000;

/**
 * Fetches models once they are requested, and retries with growing delays until all are present. Checks for them even
 * without a request, because an operator may put them into the folder.
 */
export const supplyModels = ({ store, models, log, lookMs, signal }: ModelSupplyOptions): ModelSupply => {
  let isWanted = false;
  let wake = Promise.withResolvers<void>();
  let waitMs = lookMs;
  let fetchAt = 0;
  const fetch = async (): Promise<void> => {
    const problems = await fetchAll(store, models);
    if (problems.length === 0) {
      waitMs = lookMs;
      return;
    }
    // Logged once, not after every retry.
    if (waitMs === lookMs)
      log.warn({ problems: problems.join(' ') }, 'models missing; dependent components are blocked');
    fetchAt = Date.now() + waitMs;
    waitMs = Math.min(2 * waitMs, maxWaitMs);
  };
  return {
    want: () => {
      if (isWanted) return;
      isWanted = true;
      wake.resolve();
    },
    watch: async (look) => {
      while (!signal.aborted) {
        await Promise.race([wake.promise, sleep(lookMs, undefined, { signal, ref: false }).catch(() => undefined)]);
        wake = Promise.withResolvers();
        if (signal.aborted) return;
        if (isWanted && Date.now() >= fetchAt) await fetch();
        try {
          isWanted = (await look(isWanted)) && isWanted;
        } catch (error) {
          log.warn({ err: error }, 'could not look for models; retrying later');
        }
      }
    },
  };
};

/** Fetches the models that are missing. Returns the problems. */
const fetchAll = async (store: ModelStore, models: readonly ModelName[]): Promise<readonly string[]> => {
  const problems: string[] = [];
  for (const name of new Set(models))
    try {
      await obtainModel(store, name);
    } catch (error) {
      if (!(error instanceof MissingModelError)) return [...problems, String(error)];
      problems.push(error.message);
    }
  return problems;
};
