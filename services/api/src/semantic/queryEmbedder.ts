import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@hearth/core/log/log.ts';
import type { QueryEmbedding, SearchModelName } from '@hearth/core/config/searchModels.ts';
import { openInference } from '@hearth/inference/inference.ts';
import type { InferenceSettings } from '@hearth/inference/process/inferenceProtocol.ts';
import { MissingModelError } from '@hearth/inference/store/missingModel.ts';
import { supplyModels } from '@hearth/inference/store/supplyModels.ts';
import { explainUnavailable } from '@hearth/inference/taskModels.ts';

/**
 * Embeds search queries. Returns undefined if the model is missing or does not respond in time: the search then uses
 * words only.
 */
export interface QueryEmbedder {
  embed(model: SearchModelName, query: string): Promise<QueryEmbedding | undefined>;
  /** Process ID of the running model, for tests that kill it. */
  childPid(): number | undefined;
  close(): Promise<void>;
}

export interface QueryEmbedderOptions {
  readonly settings: InferenceSettings;
  readonly log: Log;
  /** Time limit of a search, in ms. A later result is cached for the next search. Starting the process takes 1 s. */
  readonly waitMs?: number;
  /** Idle time, in ms, after which the process exits to free its memory. */
  readonly idleMs?: number;
  /** Poll interval for a missing model, in ms. Until found, it is not queried. */
  readonly lookMs?: number;
}

/** Queue limit of the process, which takes about 20 ms per query. Further searches use words only. */
const maxWaiting = 16;

/** Number of cached embeddings, 2 kB each. */
const maxCached = 1_000;

/** Time limit for a query including loading the model, in ms. Then the model counts as hung. */
const timeoutMs = 30_000;

/** Limit of the process's resident memory. The text half of CLIP ViT-B/32 takes 65 MB, and twice that while loading. */
const memoryLimitBytes = 400_000_000;

/**
 * Embeds queries in a separate process with one thread, one at a time, so that no request waits for a computation. The
 * process starts with the first query. Downloads a missing model in the background on first use, unless the settings
 * forbid it.
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
  const cache = new Map<string, Promise<QueryEmbedding | undefined>>();
  let waiting = 0;

  /** Downloads the model, or waits until someone copies it into its folder. */
  const supply = (model: SearchModelName): void => {
    if (missing.has(model)) return;
    missing.add(model);
    const found = new AbortController();
    const signal = AbortSignal.any([closing.signal, found.signal]);
    const supplied = supplyModels({ store: settings.store, models: [`${model}-text`], log, lookMs, signal });
    supplied.want();
    void supplied.watch(async () => {
      const isMissing = (await explainUnavailable({ ...settings, searchModel: model }, 'query')) !== undefined;
      if (isMissing) return true;
      missing.delete(model);
      found.abort();
      return false;
    });
  };
  const compute = async (model: SearchModelName, text: string): Promise<QueryEmbedding | undefined> => {
    waiting += 1;
    try {
      return await inference.embedText(model, text);
    } catch (error) {
      if (error instanceof MissingModelError) supply(model);
      else if (!closing.signal.aborted) log.warn({ err: error }, 'could not embed a search query');
      return undefined;
    } finally {
      waiting -= 1;
    }
  };
  const find = (model: SearchModelName, text: string): Promise<QueryEmbedding | undefined> => {
    const key = `${model} ${text}`;
    const cached = cache.get(key);
    if (cached === undefined && (missing.has(model) || waiting >= maxWaiting)) return Promise.resolve(undefined);
    const result = cached ?? compute(model, text);
    // Moved to the end of the map, whose first entry is evicted.
    cache.delete(key);
    cache.set(key, result);
    if (cache.size > maxCached) cache.delete(cache.keys().next().value!);
    if (cached === undefined)
      void result.then((embedding) => embedding === undefined && cache.get(key) === result && cache.delete(key));
    return result;
  };
  return {
    embed: async (model, query) => {
      const timer = new AbortController();
      const timeout = sleep(waitMs, undefined, { signal: timer.signal, ref: false }).catch(() => undefined);
      // CLIP's tokenizer ignores spacing and case.
      const result = find(model, query.trim().replaceAll(/\s+/g, ' ').toLowerCase());
      return Promise.race([result, timeout]).finally(() => timer.abort());
    },
    childPid: () => inference.childPid(),
    close: async () => {
      closing.abort();
      await inference.close();
    },
  };
};
