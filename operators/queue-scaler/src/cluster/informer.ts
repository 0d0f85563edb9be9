import { setTimeout } from 'node:timers/promises';
import {
  KubeConfig,
  ListWatch,
  Watch,
  type KubernetesListObject,
  type KubernetesObject,
} from '@kubernetes/client-node';
import type { QueueScaler } from '../api/objects.ts';
import { ApiError } from './apiError.ts';
import type { WatchEvent } from './apiServer.ts';
import { checkObject } from './checkResponse.ts';
import type { Cluster } from './cluster.ts';

export interface InformerOptions {
  readonly cluster: Pick<Cluster, 'listQueueScalers' | 'watchQueueScalers'>;
  /** Called for each object of each list, and for each change. */
  readonly onChange: (scaler: QueueScaler) => void;
  readonly onDelete: (name: string) => void;
  /** Called before each retry. */
  readonly onError: (error: unknown) => void;
  readonly signal: AbortSignal;
  /** Waits after a watch or a failed list. The default is `setTimeout`. */
  readonly delay?: (ms: number) => Promise<void>;
}

/** Pause after each watch, in ms. The informer adds a back-off of up to half a minute, which each event resets. */
const pauseMs = 1_000;

/** Minimum and maximum delay between failed lists, in ms. The server may request a delay in between. */
const listRetryMs = { min: 2_000, max: 30_000 };

/** Lists and watches QueueScalers until `signal` is aborted, with the library's informer. */
export const startInformer = (options: InformerOptions): void => {
  const { cluster, onChange, onDelete, onError, signal, delay = setTimeout } = options;
  const list = async (): Promise<KubernetesListObject<KubernetesObject>> => {
    const list = await cluster.listQueueScalers();
    // The informer skips objects that it knows. The reconciler may have forgotten one after a wrong 404.
    for (const item of list.items) onChange(item);
    return list as unknown as KubernetesListObject<KubernetesObject>;
  };
  const watch = new CheckedWatch(options);
  const informer = new ListWatch('', watch, list, false, undefined, undefined, { delayFn: delay });
  for (const verb of ['add', 'update'] as const)
    informer.on(verb, (object) => onChange(object as unknown as QueueScaler));
  informer.on('delete', ({ metadata }) => onDelete(metadata?.name ?? ''));
  // A failed list stops the informer.
  const restart = async (error: unknown): Promise<void> => {
    if (signal.aborted) return;
    onError(error);
    const retryAfterMs = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
    await delay(Math.min(Math.max(retryAfterMs, listRetryMs.min), listRetryMs.max));
    if (!signal.aborted) await informer.start();
  };
  informer.on('error', (error) => void restart(error));
  signal.addEventListener('abort', () => void informer.stop(), { once: true });
  void informer.start();
};

/**
 * Delivers only valid changes to the informer. Every end of a watch is reported as 410, so that the informer lists
 * again: an event may have been lost.
 */
class CheckedWatch extends Watch {
  readonly #options: InformerOptions;

  constructor(options: InformerOptions) {
    super(new KubeConfig());
    this.#options = options;
  }

  override async watch(
    _path: string,
    { resourceVersion }: Parameters<Watch['watch']>[1],
    callback: Parameters<Watch['watch']>[2],
    done: Parameters<Watch['watch']>[3],
  ): Promise<AbortController> {
    const { cluster, onError, signal, delay = setTimeout } = this.#options;
    const ended = new AbortController();
    const deliver = ({ type, object }: WatchEvent): void => {
      if (type === 'ERROR') throw toWatchError(object);
      // A bookmark has no name. It resets the informer's back-off.
      callback(type, type === 'BOOKMARK' ? {} : checkObject(object as QueueScaler, undefined, 'spec'));
    };
    const run = async (): Promise<void> => {
      try {
        await cluster.watchQueueScalers(String(resourceVersion), deliver, AbortSignal.any([signal, ended.signal]));
      } catch (error) {
        if (!signal.aborted) onError(error);
      }
      await delay(pauseMs);
      done({ statusCode: 410 });
    };
    void run();
    return ended;
  }
}

const toWatchError = (object: unknown): ApiError => {
  const { code = 0, message = 'the watch failed' } = object as { readonly code?: number; readonly message?: string };
  return new ApiError(message, code);
};
