import { trustedScriptUrl } from '../../../lib/browser/trustedTypes.ts';
import type { HashResponse, HashRequest } from './hashMessages.ts';
// oxlint-disable-next-line import/default -- Vite returns the URL of the built worker
import workerUrl from './hashWorker.ts?worker&url';

export interface Hasher {
  /**
   * Returns the SHA-256 of a file in hexadecimal; undefined for text, which is never uploaded. @throws Error if the
   * file is not readable
   */
  readonly hash: (file: File) => Promise<string | undefined>;
  readonly stop: () => void;
}

/** Starts the worker. For each file in progress, it keeps one slice in memory, or the whole file if it is small. */
export const startHasher = (): Hasher => {
  const worker = new Worker(trustedScriptUrl(workerUrl), { type: 'module', name: 'hearth-hash' });
  const waiting = new Map<number, PromiseWithResolvers<string | undefined>>();
  let lastId = 0;
  worker.addEventListener('message', ({ data: { id, checksum, isText } }: MessageEvent<HashResponse>) => {
    const promise = waiting.get(id);
    waiting.delete(id);
    if (checksum === undefined && !isText) promise?.reject(new Error('The file cannot be read.'));
    else promise?.resolve(checksum);
  });
  worker.addEventListener('error', () => {
    for (const { reject } of waiting.values()) reject(new Error('The hash worker failed.'));
    waiting.clear();
  });
  return {
    hash: async (file) => {
      lastId += 1;
      const promise = Promise.withResolvers<string | undefined>();
      waiting.set(lastId, promise);
      worker.postMessage({ id: lastId, file } satisfies HashRequest);
      return promise.promise;
    },
    stop: () => worker.terminate(),
  };
};
