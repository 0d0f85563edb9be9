import { expect, test } from 'vitest';
import type { Root } from '../files/foundFile.ts';
import { emptyPlan, nextPlan } from '../plan/uploadPlan.ts';
import type { SavedFile } from '../saved/savedUploads.ts';
import { startRestoring } from './restoring.ts';

const savedFile = (place: number, fields: Partial<SavedFile> = {}): SavedFile => ({
  batch: 'b',
  place,
  root: place,
  path: `IMG_${place}.jpg`,
  sizeBytes: 10,
  lastModified: 1,
  stage: 'hashed',
  sentBytes: 0,
  attempts: 0,
  ...fields,
});

/**
 * Creates a Chromium handle that counts permission requests. Each request gets the next of `responses`; when all are
 * used, it gets the last one again.
 */
const handle = (responses: readonly (PermissionState | 'throws')[], kind: 'file' | 'directory' = 'file') => {
  const requests = { count: 0 };
  const root = {
    kind,
    isSameEntry: async () => true,
    queryPermission: async () => 'prompt',
    requestPermission: async () => {
      requests.count += 1;
      const response = responses[Math.min(requests.count, responses.length) - 1];
      if (response === 'throws') throw new DOMException('User activation is required.', 'SecurityError');
      return response;
    },
  };
  return { root: root as unknown as Root, requests };
};

const restore = async (files: readonly SavedFile[], roots: ReadonlyMap<number, Root>, isCollected = true) => {
  let plan = emptyPlan;
  const visited: FileSystemDirectoryHandle[] = [];
  const found: number[] = [];
  const removed: string[] = [];
  const restoring = startRestoring(
    {
      listFiles: async () => [...files],
      // New objects for the same handles each time, as IndexedDB returns them.
      listRoots: async () => new Map([...roots].map(([place, root]) => [place, Object.assign({}, root)])),
      isCollected: async () => isCollected,
      removeBatch: async (batch) => void removed.push(batch),
    },
    {
      plan: () => plan,
      add: (added) => (plan = nextPlan(plan, [{ kind: 'added', files: added }])),
      find: (ids) => {
        found.push(...ids.map(([id]) => id));
        plan = nextPlan(
          plan,
          ids.map(([id]) => ({ kind: 'file', id, event: { kind: 'found' } })),
        );
      },
    },
    (folder) => void visited.push(folder),
  );
  const isUnfinished = await restoring.adopt('b');
  return { restoring, isUnfinished, found, removed, visited, plan: () => plan };
};

test('removes a finished batch', async () => {
  const { isUnfinished, removed, plan } = await restore([savedFile(0, { stage: 'done' })], new Map());
  expect([isUnfinished, removed, plan().files.length]).toEqual([false, ['b'], 0]);
});

test('restores all files dropped individually with one click, while the browser grants access', async () => {
  const handles = [handle(['granted']), handle(['granted'])];
  const { restoring, found } = await restore(
    [savedFile(0), savedFile(1)],
    new Map(handles.map(({ root }, place) => [place, root])),
  );
  expect(restoring.countRequestable()).toBe(2);
  await restoring.requestAccess();
  expect([found, restoring.countRequestable()]).toEqual([[0, 1], 0]);
});

test.each(['denied', 'prompt', 'throws'] as const)(
  'stops requesting access after “%s”, and still matches dropped files',
  async (response) => {
    const handles = [handle(['granted']), handle([response]), handle(['granted'])];
    const { restoring, found, plan } = await restore(
      [savedFile(0), savedFile(1), savedFile(2)],
      new Map(handles.map(({ root }, place) => [place, root])),
    );
    await restoring.requestAccess();
    expect(handles.map(({ requests }) => requests.count)).toEqual([1, 1, 0]);
    expect([found, restoring.countRequestable(), plan().tallies.missing.files]).toEqual([[0], 0, 2]);
    expect(restoring.match([savedFile(2), savedFile(1)])).toEqual([2, 1]);
  },
);

test('requests access to a folder once for all its files', async () => {
  const { root, requests } = handle(['granted']);
  const { restoring, found } = await restore(
    [savedFile(0, { root: 7 }), savedFile(1, { root: 7 }), savedFile(2, { root: 7, stage: 'done' })],
    new Map([[7, root]]),
  );
  await restoring.requestAccess();
  expect([found, requests.count]).toEqual([[0, 1], 1]);
});

test('scans an incompletely scanned folder again, once it is readable', async () => {
  const { root } = handle(['granted'], 'directory');
  const { restoring, isUnfinished, found, visited } = await restore(
    [savedFile(0, { root: 7 }), savedFile(1, { root: 7, stage: 'done' })],
    new Map([[7, root]]),
    false,
  );
  expect([isUnfinished, visited]).toEqual([true, []]);
  await restoring.adopt('the same folder in another tab');
  await restoring.requestAccess();
  expect([found.slice(0, 1), visited]).toEqual([[0], [root]]);
});
