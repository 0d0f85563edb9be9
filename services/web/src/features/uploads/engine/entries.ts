import type { FileSource } from '../files/fileSource.ts';
import { type FoundFile, type Root, isForeignFile } from '../files/foundFile.ts';
import { isSettled, type UploadFile } from '../plan/uploadFile.ts';
import type { SavedFile } from '../saved/savedUploads.ts';

/** What belongs to a file of the plan besides its state. */
export interface Entry {
  /** Missing until the browser has been given the file again. */
  readonly source: FileSource | undefined;
  readonly batch: string;
  readonly place: number;
  readonly root?: number | undefined;
  readonly shared?: number | undefined;
}

/** The places of the roots of one batch; a folder is kept once, however many files it leads to. */
export interface Roots {
  readonly placeOf: (root: Root) => number;
  /** The roots that were added since the last call, by their places. */
  readonly takeNew: () => ReadonlyMap<number, Root>;
}

export const makeRoots = (): Roots => {
  const places = new Map<Root, number>();
  let fresh = new Map<number, Root>();
  return {
    placeOf: (root) => {
      const known = places.get(root);
      if (known !== undefined) return known;
      const place = places.size;
      places.set(root, place);
      fresh.set(place, root);
      return place;
    },
    takeNew: () => {
      const taken = fresh;
      fresh = new Map();
      return taken;
    },
  };
};

/** A file that was just found, at the beginning of its way, or at its end where its name tells that it is no photo. */
export const newUploadFile = ({ path, sizeBytes, lastModified }: FoundFile): UploadFile => ({
  path,
  sizeBytes,
  lastModified,
  ...(isForeignFile(path) ? { stage: 'refused', reason: 'notMedia' } : { stage: 'queued' }),
  sentBytes: 0,
  attempts: 0,
});

/** A file of an earlier visit: what was on its way, or had failed, has to be given to the page again. */
export const restoredFile = (saved: SavedFile): UploadFile => {
  const { path, sizeBytes, lastModified, stage, checksum, url, sentBytes, reason } = saved;
  const file = { path, sizeBytes, lastModified, checksum, url, sentBytes, attempts: 0 };
  return isSettled({ stage }) && stage !== 'failed' ? { ...file, stage, reason } : { ...file, stage: 'missing' };
};

/** How a file leads back to its bytes after a reload, by what was kept of it. */
export const restoredSource = (saved: SavedFile, roots: ReadonlyMap<number, Root>): FileSource | undefined => {
  if (saved.shared !== undefined) return { shared: saved.shared };
  const root = saved.root === undefined ? undefined : roots.get(saved.root);
  if (root === undefined) return undefined;
  if (root.kind === 'file') return root;
  return { folder: root, names: saved.path.split('/').slice(1) };
};
