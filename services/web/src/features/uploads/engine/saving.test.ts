import { expect, test } from 'vitest';
import type { UploadFile } from '../plan/uploadFile.ts';
import type { SavedFile, SavedUploads } from '../saved/savedUploads.ts';
import { startSaving } from './saving.ts';

const file: UploadFile = { path: 'a.jpg', sizeBytes: 9, lastModified: 1, stage: 'sending', sentBytes: 0, attempts: 0 };

test('combines changes during a slow write into the next write, and awaits it in flush', async () => {
  const writes: (readonly SavedFile[])[] = [];
  const first = Promise.withResolvers<void>();
  const saved: Pick<SavedUploads, 'saveFiles'> = {
    saveFiles: async (files) => {
      writes.push(files);
      if (writes.length === 1) await first.promise;
    },
  };
  let current = file;
  const saving = startSaving(saved, () => ({ file: current, entry: { source: undefined, batch: 'b', place: 1 } }));
  const change = (next: UploadFile): void => {
    const before = current;
    current = next;
    saving.change(0, before, next);
  };

  change({ ...file, url: '/v1/uploads/1' });
  change({ ...file, url: '/v1/uploads/2' });
  change({ ...file, url: '/v1/uploads/3' });
  const flushed = saving.flush();
  first.resolve();
  await flushed;

  expect(writes.map((files) => files.map(({ url }) => url))).toEqual([['/v1/uploads/1'], ['/v1/uploads/3']]);
});
