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
  /** How many missing files can be had by asking; none any more once that was refused, because the same drop is the surer way then. */
  readonly askableFiles: () => number;
  /**
   * Asks for all of them, up to the first that is refused. To be called by a click, which lasts for some questions only: of 500 files that were
   * dropped one by one, the browser refuses the later ones by itself.
   */
  readonly ask: () => Promise<void>;
}

/** `lookAgain` is called with each folder that the earlier visit had not looked through to its end, as soon as it may be read. */
export const startRestoring = (
  saved: Pick<SavedUploads, 'listFiles' | 'listRoots' | 'isCollected' | 'removeBatch'>,
  run: Pick<Run, 'plan' | 'add' | 'find'>,
  lookAgain: (folder: FileSystemDirectoryHandle) => void,
): Restoring => {
  const sources = new Map<number, { readonly root: AskableHandle | undefined; readonly entry: Partial<Entry> }>();
  const matcher = makeSavedMatcher();
  const unseen = new Set<AskableHandle>();
  const looked: AskableHandle[] = [];
  let isRefused = false;
  const missing = (): number[] => filesAt(run.plan(), 'missing').filter((id) => sources.has(id));

  /** Goes on with those files whose root `mayRead` says may be read. Each root is asked for once. */
  const findAll = async (mayRead: (root: AskableHandle) => Promise<boolean>): Promise<void> => {
    const answers = new Map<AskableHandle, boolean>();
    const isGranted = async (root: AskableHandle): Promise<boolean> => {
      const answer = answers.get(root) ?? (await mayRead(root).catch(() => false));
      answers.set(root, answer);
      return answer;
    };
    const found: (readonly [number, Partial<Entry>])[] = [];
    for (const id of missing()) {
      const { root, entry } = sources.get(id) ?? {};
      if (entry !== undefined && (root === undefined || (await isGranted(root)))) found.push([id, entry]);
    }
    for (const [id] of found) sources.delete(id);
    if (found.length > 0) run.find(found);
    for (const root of unseen) {
      if (root.kind !== 'directory' || !(await isGranted(root))) continue;
      unseen.delete(root);
      // Two visits may have begun with the same folder.
      const isAgain = await Promise.all(looked.map((other) => other.isSameEntry(root)));
      if (isAgain.includes(true)) continue;
      looked.push(root);
      lookAgain(root);
    }
  };

  return {
    adopt: async (batch) => {
      const files = await saved.listFiles(batch);
      const isCollected = await saved.isCollected(batch);
      if (isCollected && !files.some(isUnfinished)) {
        await saved.removeBatch(batch);
        return false;
      }
      const roots = await saved.listRoots(batch);
      if (!isCollected) for (const root of roots.values()) unseen.add(root);
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
    askableFiles: () => (isRefused ? 0 : missing().length),
    ask: async () =>
      findAll(async (root) => {
        if (isRefused) return false;
        // Without a click that is fresh enough the browser throws.
        const answer = await root.requestPermission?.({ mode: 'read' }).catch(() => 'denied' as const);
        isRefused = answer !== 'granted';
        return !isRefused;
      }),
  };
};

const isUnfinished = ({ stage }: SavedFile): boolean => !isSettled({ stage }) || stage === 'failed';
