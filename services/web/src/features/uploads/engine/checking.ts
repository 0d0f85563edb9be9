import { call } from '../../../lib/api/client.ts';
import { openFile } from '../files/fileSource.ts';
import { startHasher, type Hasher } from '../files/hashFile.ts';
import { listFilesAt, filesToCheck } from '../plan/uploadPlan.ts';
import { toOutcome } from './sendOutcome.ts';
import type { Step, UploadContext } from './work.ts';

/** Two, so that the next file is open when one is done. More do not help: there is one worker and one disk. */
const maxConcurrentHashes = 2;

/** Computes checksums ahead of the other steps, so that duplicates and the remaining time are known early. */
export const startHashing = (work: UploadContext, isPaused: () => boolean): Step => {
  let hasher: Hasher | undefined;
  let running = 0;

  const hash = async (id: number): Promise<void> => {
    const source = work.source(id);
    const { sizeBytes, lastModified } = work.file(id);
    if (source === undefined) return work.applyEvents([id, { kind: 'failed', reason: 'unreadable' }]);
    try {
      const file = await openFile(source);
      if (file.size !== sizeBytes || file.lastModified !== lastModified) {
        work.applyEvents([id, { kind: 'changed', sizeBytes: file.size, lastModified: file.lastModified }]);
      } else if (sizeBytes === 0) work.applyEvents([id, { kind: 'refused', reason: 'empty' }]);
      else {
        hasher ??= startHasher();
        const checksum = await hasher.hash(file);
        work.applyEvents([
          id,
          checksum === undefined ? { kind: 'refused', reason: 'notMedia' } : { kind: 'hashed', checksum },
        ]);
      }
    } catch {
      work.applyEvents([id, { kind: 'failed', reason: 'unreadable' }]);
    }
  };

  return {
    pump: () => {
      if (isPaused() || running === maxConcurrentHashes) return;
      const ids = listFilesAt(work.plan(), 'queued', maxConcurrentHashes - running);
      running += ids.length;
      if (ids.length > 0) work.applyEvents(...ids.map((id) => [id, { kind: 'hashBegan' }] as const));
      for (const id of ids) {
        void hash(id).finally(() => {
          running -= 1;
          work.applyEvents();
        });
      }
    },
    stop: () => hasher?.stop(),
  };
};

/**
 * Time to collect checksums before a request, in ms: long enough for large batches, short enough for uploads to start
 * soon.
 */
const batchDelayMs = 400;

/** Checks in batches which files are already in the library, before they are uploaded. */
export const startChecking = (work: UploadContext): Step => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isChecking = false;

  const checkBatch = async (): Promise<void> => {
    timer = undefined;
    const ids = work.canRequest() ? filesToCheck(work.plan(), maxChecksums) : [];
    if (ids.length === 0) return;
    isChecking = true;
    work.applyEvents(...ids.map((id) => [id, { kind: 'checkBegan' }] as const));
    const getChecksum = (id: number): string => work.file(id).checksum ?? '';
    try {
      const existing = await checkFiles(ids.map(getChecksum));
      isChecking = false;
      work.succeeded();
      work.applyEvents(
        ...ids.map((id) => [id, { kind: existing.has(getChecksum(id)) ? 'existing' : 'absent' }] as const),
      );
    } catch (error) {
      isChecking = false;
      const outcome = toOutcome(error);
      if (outcome.kind === 'halted') work.halt(outcome.reason);
      else
        work.hold(
          outcome.kind === 'held' ? outcome.reason : 'server',
          'retryAfterSeconds' in outcome ? outcome.retryAfterSeconds : undefined,
        );
      work.applyEvents(...ids.map((id) => [id, { kind: 'interrupted' }] as const));
    }
  };

  return {
    pump: () => {
      const { hashed, hashing, queued } = work.plan().tallies;
      if (isChecking || hashed.files === 0 || !work.canRequest()) return;
      const isQueueFull = hashed.files >= maxChecksums || hashing.files + queued.files === 0;
      if (isQueueFull) clearTimeout(timer);
      if (isQueueFull || timer === undefined)
        timer = setTimeout(() => void checkBatch(), isQueueFull ? 0 : batchDelayMs);
    },
    stop: () => clearTimeout(timer),
  };
};

/** Maximum number of checksums per request. */
const maxChecksums = 1000;

/** Returns the checksums of files that are already in the library or its trash. @throws ApiError */
const checkFiles = async (checksums: readonly string[]): Promise<ReadonlySet<string>> => {
  const { existing } = await call('POST /v1/mediaItems/check', { body: { checksums: [...checksums] } });
  return new Set(Object.keys(existing));
};
