import type { Root } from '../files/foundFile.ts';
import { isSettled } from '../plan/uploadFile.ts';
import { listFilesAt } from '../plan/uploadPlan.ts';
import { makeSavedMatcher, type SavedMatcher } from '../saved/savedMatcher.ts';
import type { SavedFile, SavedUploads } from '../saved/savedUploads.ts';
import { restoredFile, restoredSource, type Entry } from './entries.ts';
import type { Run } from './startRun.ts';

/** Chromium can ask for permission to a handle of an earlier visit. */
type PermissionHandle = Root & {
  readonly queryPermission?: (options: { readonly mode: 'read' }) => Promise<PermissionState>;
  readonly requestPermission?: (options: { readonly mode: 'read' }) => Promise<PermissionState>;
};

export interface Restoring {
  /** Takes over a batch whose tab was closed. Returns whether it is unfinished. */
  readonly adopt: (batch: string) => Promise<boolean>;
  /** Matches files against those of earlier visits, including finished ones, so that they are not uploaded as new. */
  readonly match: SavedMatcher['match'];
  /**
   * Number of missing files that `requestAccess` can restore. 0 after a refusal: dropping the files again is then more
   * reliable.
   */
  readonly countRequestable: () => number;
  /**
   * Requests access to the missing files until one request is refused. Call it in a click handler. A click permits only
   * some requests: of 500 files dropped individually, the browser refuses the later ones.
   */
  readonly requestAccess: () => Promise<void>;
}

/** Calls `recheck` with each folder whose scan was incomplete, once it is readable. */
export const startRestoring = (
  saved: Pick<SavedUploads, 'listFiles' | 'listRoots' | 'isCollected' | 'removeBatch'>,
  run: Pick<Run, 'plan' | 'add' | 'find'>,
  recheck: (folder: FileSystemDirectoryHandle) => void,
): Restoring => {
  const sources = new Map<number, { readonly root: PermissionHandle | undefined; readonly entry: Partial<Entry> }>();
  const matcher = makeSavedMatcher();
  const unscanned = new Set<PermissionHandle>();
  const scanned: PermissionHandle[] = [];
  let isRefused = false;
  const missing = (): number[] => listFilesAt(run.plan(), 'missing').filter((id) => sources.has(id));

  /**
   * Restores the files without a root and those whose root `mayRead` permits. Then calls `recheck` for the permitted
   * folders. Calls `mayRead` once per root.
   */
  const restorePermitted = async (mayRead: (root: PermissionHandle) => Promise<boolean>): Promise<void> => {
    const decisions = new Map<PermissionHandle, boolean>();
    const isGranted = async (root: PermissionHandle): Promise<boolean> => {
      const decision = decisions.get(root) ?? (await mayRead(root).catch(() => false));
      decisions.set(root, decision);
      return decision;
    };
    const found: (readonly [number, Partial<Entry>])[] = [];
    for (const id of missing()) {
      const { root, entry } = sources.get(id) ?? {};
      if (entry !== undefined && (root === undefined || (await isGranted(root)))) found.push([id, entry]);
    }
    for (const [id] of found) sources.delete(id);
    if (found.length > 0) run.find(found);
    for (const root of unscanned) {
      if (root.kind !== 'directory' || !(await isGranted(root))) continue;
      unscanned.delete(root);
      // Several earlier visits may have uploaded the same folder.
      const isScanned = await Promise.all(scanned.map((other) => other.isSameEntry(root)));
      if (isScanned.includes(true)) continue;
      scanned.push(root);
      recheck(root);
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
      if (!isCollected) for (const root of roots.values()) unscanned.add(root);
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
      await restorePermitted(async (root) => (await root.queryPermission?.({ mode: 'read' })) === 'granted');
      return true;
    },
    match: matcher.match,
    countRequestable: () => (isRefused ? 0 : missing().length),
    requestAccess: async () =>
      restorePermitted(async (root) => {
        if (isRefused) return false;
        // Without recent user activation, the browser throws.
        const decision = await root.requestPermission?.({ mode: 'read' }).catch(() => 'denied' as const);
        isRefused = decision !== 'granted';
        return !isRefused;
      }),
  };
};

const isUnfinished = ({ stage }: SavedFile): boolean => !isSettled({ stage }) || stage === 'failed';
