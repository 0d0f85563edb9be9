import { isSettled, type UploadFile } from '../plan/uploadFile.ts';
import type { SavedFile, SavedUploads } from '../saved/savedUploads.ts';
import type { Entry } from './entries.ts';

/** Time to collect changes before a write, in ms. */
const saveDelayMs = 300;

/** Persists the uploads, so that a reload can resume them. */
export interface Saving {
  readonly add: (id: number) => void;
  /** Reports a change of a file. Most, such as progress, are not saved. */
  readonly change: (id: number, before: UploadFile, after: UploadFile) => void;
  /** Resolves when all reported changes are written. */
  readonly flush: () => Promise<void>;
  /** Discards unsaved changes. */
  readonly stop: () => void;
}

export const startSaving = (
  saved: Pick<SavedUploads, 'saveFiles'>,
  read: (id: number) => { readonly file: UploadFile; readonly entry: Entry },
): Saving => {
  const dirty = new Set<number>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing: Promise<void> | undefined;

  /**
   * Writes one batch after another with the latest state of each file. A slow disk is therefore at most one write
   * behind.
   */
  const write = async (): Promise<void> => {
    while (dirty.size > 0) {
      const files = [...dirty].map((id) => savedFile(read(id)));
      dirty.clear();
      // A full disk does not stop uploads.
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
    timer ??= setTimeout(() => void flush(), saveDelayMs);
  };
  return {
    add,
    change: (id, before, after) => {
      const hasNewResumeData = before.checksum !== after.checksum || before.url !== after.url;
      if (hasNewResumeData || (isSettled(after) && before.stage !== after.stage)) add(id);
      // Saved at once: without the upload URL, a reload would send the bytes again.
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
