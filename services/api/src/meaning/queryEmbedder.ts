import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@hearth/core/log/log.ts';
import type { MeaningVector, SearchModelName } from '@hearth/core/config/searchModels.ts';
import { openInference } from '@hearth/inference/inference.ts';
import type { InferenceSettings } from '@hearth/inference/process/inferenceProtocol.ts';
import { MissingModelError } from '@hearth/inference/store/missingModel.ts';
import { supplyModels } from '@hearth/inference/store/supplyModels.ts';
import { whyImpossible } from '@hearth/inference/taskModels.ts';

/** Says what a query means to a model; undefined where that model is not here, or it would take too long: then the search goes by words alone. */
export interface QueryEmbedder {
  embed(model: SearchModelName, query: string): Promise<MeaningVector | undefined>;
  /** The process of the model now alive, for kill drills. */
  childPid(): number | undefined;
  close(): Promise<void>;
}

/** The models, and how long and how much is waited for. */
export interface QueryEmbedderOptions {
  readonly settings: InferenceSettings;
  readonly log: Log;
  /** Milliseconds after which a search goes on without; what the query means is then known to the next one. A process with its model starts in 1 s. */
  readonly waitMs?: number;
  /** Milliseconds after which an idle process gives back its memory. */
  readonly idleMs?: number;
  /** Milliseconds between two looks for a model that is missing, in which nothing is asked of it. */
  readonly lookMs?: number;
}

/** Queries that wait for the one process at most; with more of them, searches go on without. One takes some 20 ms. */
const maxWaiting = 16;

/** What queries mean that were asked last, 2 kB each. */
const maxKept = 1_000;

/** Milliseconds after which a query counts as one on which the model hangs, with its load. */
const timeoutMs = 30_000;

/** Resident memory of the process: half of CLIP ViT-B/32 is 65 MB, and twice as much while it is loaded. */
const memoryLimitBytes = 400_000_000;

/**
 * Embeds queries in a process of its own, with one thread and one query at a time, so that no request waits for a computation. The process
 * starts with the first query; a model that is missing is fetched in the background once it is asked for, unless the settings forbid it.
 */
export const openQueryEmbedder = ({
  settings,
  log,
  waitMs = 1_500,
  idleMs = 300_000,
  lookMs = 30_000,
}: QueryEmbedderOptions): QueryEmbedder => {
  const inference = openInference({
    settings: { ...settings, threads: 1 },
    timeoutMs,
    idleMs,
    memoryLimitBytes,
    onProvider: () => undefined,
  });
  const closing = new AbortController();
  const missing = new Set<SearchModelName>();
  const kept = new Map<string, Promise<MeaningVector | undefined>>();
  let waiting = 0;

  /** Fetches the model, or waits until somebody puts it into its folder; until then it is asked nothing. */
  const supply = (model: SearchModelName): void => {
    if (missing.has(model)) return;
    missing.add(model);
    const found = new AbortController();
    const signal = AbortSignal.any([closing.signal, found.signal]);
    const supplied = supplyModels({ store: settings.store, models: [`${model}-text`], log, lookMs, signal });
    supplied.want();
    void supplied.watch(async () => {
      const isMissing = (await whyImpossible({ ...settings, searchModel: model }, 'query')) !== undefined;
      if (isMissing) return true;
      missing.delete(model);
      found.abort();
      return false;
    });
  };
  const compute = async (model: SearchModelName, text: string): Promise<MeaningVector | undefined> => {
    waiting += 1;
    try {
      return await inference.embedText(model, text);
    } catch (error) {
      if (error instanceof MissingModelError) supply(model);
      else if (!closing.signal.aborted) log.warn({ err: error }, 'a query could not be embedded');
      return undefined;
    } finally {
      waiting -= 1;
    }
  };
  const find = (model: SearchModelName, text: string): Promise<MeaningVector | undefined> => {
    const key = `${model} ${text}`;
    const known = kept.get(key);
    if (known === undefined && (missing.has(model) || waiting >= maxWaiting)) return Promise.resolve(undefined);
    const answer = known ?? compute(model, text);
    // Last in the order of the map, whose first one goes.
    kept.delete(key);
    kept.set(key, answer);
    if (kept.size > maxKept) kept.delete(kept.keys().next().value!);
    if (known === undefined)
      void answer.then((meaning) => meaning === undefined && kept.get(key) === answer && kept.delete(key));
    return answer;
  };
  return {
    embed: async (model, query) => {
      const patience = new AbortController();
      const late = sleep(waitMs, undefined, { signal: patience.signal, ref: false }).catch(() => undefined);
      // As the tokens of CLIP see it: spaces and capitals say nothing.
      const answer = find(model, query.trim().replaceAll(/\s+/g, ' ').toLowerCase());
      return Promise.race([answer, late]).finally(() => patience.abort());
    },
    childPid: () => inference.childPid(),
    close: async () => {
      closing.abort();
      await inference.close();
    },
  };
};
