import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@hearth/core/log/log.ts';
import type { ModelName } from '../models/models.ts';
import { MissingModelError } from './missingModel.ts';
import type { ModelStore } from './modelStore.ts';
import { obtainModel } from './obtainModel.ts';

/** Brings models that are missing. */
export interface ModelSupply {
  /** Makes models be fetched, and looked for at once. */
  want(): void;
  /** Calls `look` every now and then until the signal; it is told whether models were wanted, and answers whether any is missing. */
  watch(look: (isWanted: boolean) => Promise<boolean>): Promise<void>;
}

export interface ModelSupplyOptions {
  readonly store: ModelStore;
  readonly models: readonly ModelName[];
  readonly log: Log;
  /** Milliseconds between two looks, and after which a fetch that failed is first repeated. */
  readonly lookMs: number;
  readonly signal: AbortSignal;
}

/** Milliseconds between two attempts to fetch at most: the time doubles with each that fails. */
const maxWaitMs = 60 * 60 * 1_000;

/**
 * Fetches models once something wants them, again and again with growing pauses until they are there. Nobody has to want them to have them looked
 * for: somebody may put them into their folder.
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
    // Said once, not hour after hour.
    if (waitMs === lookMs)
      log.warn(
        { problems: problems.join(' ') },
        'models are missing: what is needed of them waits until they are there',
      );
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
          log.warn({ err: error }, 'models cannot be looked for; tried again later');
        }
      }
    },
  };
};

/** Fetches those of these models that are missing; answers what came in between. */
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
