import type { Root } from '../files/foundFile.ts';
import { isSettled } from '../plan/uploadFile.ts';
import { filesAt } from '../plan/uploadPlan.ts';
import { makeSavedMatcher, type SavedMatcher } from '../saved/savedMatcher.ts';
import type { SavedFile, SavedUploads } from '../saved/savedUploads.ts';
import { restoredFile, restoredSource, type Entry } from './entries.ts';
import type { Run } from './startRun.ts';

/** Chromium asks somebody once for what was dropped or chosen before. */
type AskableHandle = Root & {
  readonly queryPermission?: (options: { readonly mode: 'read' }) => Promise<PermissionState>;
  readonly requestPermission?: (options: { readonly mode: 'read' }) => Promise<PermissionState>;
};

/** What an earlier visit has left unfinished. */
export interface Restoring {
  /** Takes a batch over whose tab is gone. Answers whether anything of it is unfinished. */
  readonly adopt: (batch: string) => Promise<boolean>;
  /** Recognises files of earlier visits, those that are done too: given to the page again, they are no new ones. */
  readonly match: SavedMatcher['match'];
  /** How many missing files can be had by asking. */
  readonly askableFiles: () => number;
  /** Asks for all of them. To be called by a click. */
  readonly ask: () => Promise<void>;
}

export const startRestoring = (saved: SavedUploads, run: Run): Restoring => {
  const sources = new Map<number, { readonly root: AskableHandle | undefined; readonly entry: Partial<Entry> }>();
  const matcher = makeSavedMatcher();
  const missing = (): number[] => filesAt(run.plan(), 'missing').filter((id) => sources.has(id));

  /** Goes on with those files whose root `mayRead` says may be read. Each root is asked for once. */
  const findAll = async (mayRead: (root: AskableHandle) => Promise<boolean>): Promise<void> => {
    const answers = new Map<AskableHandle, boolean>();
    const found: (readonly [number, Partial<Entry>])[] = [];
    for (const id of missing()) {
      const { root, entry } = sources.get(id) ?? {};
      if (root !== undefined && !answers.has(root)) answers.set(root, await mayRead(root).catch(() => false));
      if (entry !== undefined && (root === undefined || answers.get(root) === true)) found.push([id, entry]);
    }
    for (const [id] of found) sources.delete(id);
    if (found.length > 0) run.find(found);
  };

  return {
    adopt: async (batch) => {
      const files = await saved.listFiles(batch);
      if (!files.some(isUnfinished)) {
        await saved.removeBatch(batch);
        return false;
      }
      const roots = await saved.listRoots(batch);
      const first = run.plan().files.length;
      run.add(
        files.map(restoredFile),
        files.map(({ place, root, shared }) => ({ source: undefined, batch, place, root, shared })),
      );
      matcher.add(files.map((file, index) => ({ ...file, id: first + index })));
      files.forEach((file, index) => {
        const source = restoredSource(file, roots);
        const root = file.root === undefined ? undefined : roots.get(file.root);
        if (source !== undefined) sources.set(first + index, { root, entry: { source } });
      });
      await findAll(async (root) => (await root.queryPermission?.({ mode: 'read' })) === 'granted');
      return true;
    },
    match: matcher.match,
    askableFiles: () => missing().length,
    ask: async () => findAll(async (root) => (await root.requestPermission?.({ mode: 'read' })) === 'granted'),
  };
};

const isUnfinished = ({ stage }: SavedFile): boolean => !isSettled({ stage }) || stage === 'failed';
