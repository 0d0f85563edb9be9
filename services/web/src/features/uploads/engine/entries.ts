import type { FileSource } from '../files/fileSource.ts';
import { type FoundFile, type Root, isForeignFile } from '../files/foundFile.ts';
import { isSettled, type UploadFile } from '../plan/uploadFile.ts';
import type { SavedFile } from '../saved/savedUploads.ts';

/** Data of a file that is not part of its state in the plan. */
export interface Entry {
  /** Undefined until the browser has access to the file again. */
  readonly source: FileSource | undefined;
  readonly batch: string;
  /** Number of the file in its batch, from 1. */
  readonly place: number;
  /** Index of the batch's root that contains the file. */
  readonly root?: number | undefined;
  /** Key of a file shared from another app. */
  readonly shared?: number | undefined;
}

/** Root indexes of one batch. A folder is stored once for all its files. */
export interface Roots {
  readonly getIndex: (root: Root) => number;
  /** Returns the roots added since the last call, by index. */
  readonly takeUnsaved: () => ReadonlyMap<number, Root>;
}

export const makeRoots = (): Roots => {
  const places = new Map<Root, number>();
  let fresh = new Map<number, Root>();
  return {
    getIndex: (root) => {
      const known = places.get(root);
      if (known !== undefined) return known;
      const place = places.size;
      places.set(root, place);
      fresh.set(place, root);
      return place;
    },
    takeUnsaved: () => {
      const taken = fresh;
      fresh = new Map();
      return taken;
    },
  };
};

/** Creates the upload of a found file. Refuses files whose extension is never a photo or video. */
export const newUploadFile = ({ path, sizeBytes, lastModified }: FoundFile): UploadFile => ({
  path,
  sizeBytes,
  lastModified,
  ...(isForeignFile(path) ? { stage: 'refused', reason: 'notMedia' } : { stage: 'queued' }),
  sentBytes: 0,
  attempts: 0,
});

/** Restores a file of an earlier visit. Pending and failed files need access to the file again. */
export const restoredFile = (saved: SavedFile): UploadFile => {
  const { path, sizeBytes, lastModified, stage, checksum, url, sentBytes, reason } = saved;
  const file = { path, sizeBytes, lastModified, checksum, url, sentBytes, attempts: 0 };
  return isSettled({ stage }) && stage !== 'failed' ? { ...file, stage, reason } : { ...file, stage: 'missing' };
};

/** Returns where the bytes of a saved file can be read after a reload. */
export const restoredSource = (saved: SavedFile, roots: ReadonlyMap<number, Root>): FileSource | undefined => {
  if (saved.shared !== undefined) return { shared: saved.shared };
  const root = saved.root === undefined ? undefined : roots.get(saved.root);
  if (root === undefined) return undefined;
  if (root.kind === 'file') return root;
  return { folder: root, names: saved.path.split('/').slice(1) };
};
