import { openFile } from '../files/fileSource.ts';
import { startHasher, type Hasher } from '../files/hashFile.ts';
import { filesAt } from '../plan/uploadPlan.ts';
import type { Step, Work } from './work.ts';

/** Two, so that the next file is open when one is done; the worker and the disk have no use for more. */
const mostAtOnce = 2;

/** Works out checksums, ahead of everything else: what is in the library already is known early, and the time left too. */
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
