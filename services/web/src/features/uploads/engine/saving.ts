import { isSettled, type UploadFile } from '../plan/uploadFile.ts';
import type { SavedFile, SavedUploads } from '../saved/savedUploads.ts';
import type { Entry } from './entries.ts';

/** How long changes are gathered before they are written. */
const gatherMs = 300;

/** Writes what a reload must not forget. */
export interface Saving {
  readonly add: (id: number) => void;
  /** A file that has changed from `before`; most changes, such as progress, need not be kept. */
  readonly change: (id: number, before: UploadFile, after: UploadFile) => void;
  /** Resolves when everything that was told so far is written. */
  readonly flush: () => Promise<void>;
  /** Forgets what has not been written. */
  readonly stop: () => void;
}

export const startSaving = (
  saved: Pick<SavedUploads, 'saveFiles'>,
  read: (id: number) => { readonly file: UploadFile; readonly entry: Entry },
): Saving => {
  const dirty = new Set<number>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing: Promise<void> | undefined;

  /** One after the other, each file as it is by then: a disk that is slow is behind by one write, however many changes there are meanwhile. */
  const write = async (): Promise<void> => {
    while (dirty.size > 0) {
      const files = [...dirty].map((id) => savedFile(read(id)));
      dirty.clear();
      // A disk that is full keeps nobody from uploading.
      await saved.saveFiles(files).catch(() => undefined);
    }
    writing = undefined;
  };
  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    if (dirty.size > 0) writing ??= write();
    await writing;
  };
  const add = (id: number): void => {
    dirty.add(id);
    timer ??= setTimeout(() => void flush(), gatherMs);
  };
  return {
    add,
    change: (id, before, after) => {
      const isNoted = before.checksum !== after.checksum || before.url !== after.url;
      if (isNoted || (isSettled(after) && before.stage !== after.stage)) add(id);
      // From here on a reload would send bytes twice if the address were not known.
      if (after.url !== undefined && before.url !== after.url) void flush();
    },
    flush,
    stop: () => {
      clearTimeout(timer);
      dirty.clear();
    },
  };
};

const savedFile = ({ file, entry }: { readonly file: UploadFile; readonly entry: Entry }): SavedFile => {
  const { batch, place, root, shared } = entry;
  return { ...file, batch, place, root, shared };
};
