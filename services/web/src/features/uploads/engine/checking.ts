import { call } from '../../../lib/api/client.ts';
import { openFile } from '../files/fileSource.ts';
import { startHasher, type Hasher } from '../files/hashFile.ts';
import { filesAt, filesToCheck } from '../plan/uploadPlan.ts';
import { outcomeOfError } from './sendOutcome.ts';
import type { Step, Work } from './work.ts';

/** Two, so that the next file is open when one is done. More do not help: there is one worker and one disk. */
const mostAtOnce = 2;

/** Computes checksums ahead of the other steps, so that duplicates and the remaining time are known early. */
export const startHashing = (work: Work, isPaused: () => boolean): Step => {
  let hasher: Hasher | undefined;
  let running = 0;

  const hash = async (id: number): Promise<void> => {
    const source = work.source(id);
    const { sizeBytes, lastModified } = work.file(id);
    if (source === undefined) return work.tell([id, { kind: 'failed', reason: 'unreadable' }]);
    try {
      const file = await openFile(source);
      if (file.size !== sizeBytes || file.lastModified !== lastModified) {
        work.tell([id, { kind: 'changed', sizeBytes: file.size, lastModified: file.lastModified }]);
      } else if (sizeBytes === 0) work.tell([id, { kind: 'refused', reason: 'empty' }]);
      else {
        hasher ??= startHasher();
        const checksum = await hasher.hash(file);
        work.tell([
          id,
          checksum === undefined ? { kind: 'refused', reason: 'notMedia' } : { kind: 'hashed', checksum },
        ]);
      }
    } catch {
      work.tell([id, { kind: 'failed', reason: 'unreadable' }]);
    }
  };

  return {
    pump: () => {
      if (isPaused() || running === mostAtOnce) return;
      const ids = filesAt(work.plan(), 'queued', mostAtOnce - running);
      running += ids.length;
      if (ids.length > 0) work.tell(...ids.map((id) => [id, { kind: 'hashBegan' }] as const));
      for (const id of ids) {
        void hash(id).finally(() => {
          running -= 1;
          work.tell();
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
const gatherMs = 400;

/** Checks in batches which files are already in the library, before they are uploaded. */
export const startChecking = (work: Work): Step => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAsking = false;

  const ask = async (): Promise<void> => {
    timer = undefined;
    const ids = work.mayAsk() ? filesToCheck(work.plan(), mostChecksums) : [];
    if (ids.length === 0) return;
    isAsking = true;
    work.tell(...ids.map((id) => [id, { kind: 'checkBegan' }] as const));
    const checksumOf = (id: number): string => work.file(id).checksum ?? '';
    try {
      const existing = await checkFiles(ids.map(checksumOf));
      isAsking = false;
      work.succeeded();
      work.tell(...ids.map((id) => [id, { kind: existing.has(checksumOf(id)) ? 'existing' : 'absent' }] as const));
    } catch (error) {
      isAsking = false;
      const outcome = outcomeOfError(error);
      if (outcome.kind === 'halted') work.halt(outcome.reason);
      else
        work.hold(
          outcome.kind === 'held' ? outcome.reason : 'server',
          'retryAfterSeconds' in outcome ? outcome.retryAfterSeconds : undefined,
        );
      work.tell(...ids.map((id) => [id, { kind: 'interrupted' }] as const));
    }
  };

  return {
    pump: () => {
      const { hashed, hashing, queued } = work.plan().tallies;
      if (isAsking || hashed.files === 0 || !work.mayAsk()) return;
      const isEnough = hashed.files >= mostChecksums || hashing.files + queued.files === 0;
      if (isEnough) clearTimeout(timer);
      if (isEnough || timer === undefined) timer = setTimeout(() => void ask(), isEnough ? 0 : gatherMs);
    },
    stop: () => clearTimeout(timer),
  };
};

/** Maximum number of checksums per request. */
const mostChecksums = 1000;

/** Returns the checksums of files that are already in the library or its trash. @throws ApiError */
const checkFiles = async (checksums: readonly string[]): Promise<ReadonlySet<string>> => {
  const { existing } = await call('POST /v1/mediaItems/check', { body: { checksums: [...checksums] } });
  return new Set(Object.keys(existing));
};
