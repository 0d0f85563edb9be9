import { trustedScriptUrl } from '../../../lib/browser/trustedTypes.ts';
import type { FoundFile } from './foundFile.ts';
import type { WalkResponse, WalkRequest } from './walkMessages.ts';
// oxlint-disable-next-line import/default -- Vite returns the URL of the built worker
import workerUrl from './walkWorker.ts?worker&url';

/**
 * Lists all files of a folder recursively, in slices. Uses a worker, because on the page the garbage collection of
 * 20,000 file handles would block for 0.5 s.
 */
export const walkFolder = async function* (folder: FileSystemDirectoryHandle): AsyncGenerator<FoundFile[]> {
  const worker = new Worker(trustedScriptUrl(workerUrl), { type: 'module', name: 'hearth-walk' });
  try {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- the worker lists the next slice on request
      const files = await requestFiles(worker, folder);
      if (files === undefined) return;
      yield files.map(({ path, sizeBytes, lastModified }) => {
        const source = { folder, names: path.split('/').slice(1) };
        return { path, sizeBytes, lastModified, source, root: folder };
      });
    }
  } finally {
    worker.terminate();
  }
};

const requestFiles = async (worker: Worker, folder: WalkRequest): Promise<WalkResponse> =>
  new Promise((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<WalkResponse>) => resolve(data), { once: true });
    worker.addEventListener('error', () => reject(new Error('The folder scan worker failed.')), {
      once: true,
    });
    worker.postMessage(folder);
  });
