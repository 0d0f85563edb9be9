import { foundFile, isClutter, type FoundFile } from './foundFile.ts';
import { inPairs } from './inPairs.ts';
import { walkFolder } from './walkFolder.ts';
import { walkEntry, walkHandle } from './walkFolders.ts';

/** Files as they are found, some at a time. */
export type FoundFiles = AsyncIterable<readonly FoundFile[]>;

/** Chromium can keep what was dropped beyond a reload. */
type HandedItem = DataTransferItem & { readonly getAsFileSystemHandle?: () => Promise<FileSystemHandle | null> };

/** How many files are handed on together. The browser looks up size and time of each when they are read, while the page waits. */
const sliceLength = 50;

/** A file by its path, of which nothing else was asked yet. */
interface LooseFile {
  readonly path: string;
  readonly file: File;
  readonly handle?: FileSystemFileHandle;
}

/**
 * All files of a drop or of the clipboard, folders with everything in them. To be called while the event is handled: what it brought can be asked
 * for only then.
 */
export const collectTransfer = (transfer: DataTransfer): FoundFiles => {
  const items = [...transfer.items]
    .filter(({ kind }) => kind === 'file')
    .map((item: HandedItem) => ({
      handle: item.getAsFileSystemHandle?.().catch(() => null),
      entry: item.webkitGetAsEntry(),
      file: item.getAsFile(),
    }));
  return (async function* () {
    const loose: LooseFile[] = [];
    for (const { handle, entry, file } of items) {
      // Null for what comes from another page and not from the disk, and for folders that the browser keeps to itself.
      const kept = (await handle) ?? null;
      if (kept?.kind === 'directory') yield* walkFolder(kept as FileSystemDirectoryHandle);
      else if (kept !== null && file !== null) {
        loose.push({ path: file.name, file, handle: kept as FileSystemFileHandle });
      } else if (entry?.isDirectory === true) yield* walkEntry(entry);
      else if (file !== null) loose.push({ path: file.name, file });
    }
    yield* collectLoose(loose);
  })();
};

/** All files that an input or the browser's own picker was given. */
export const collectList = (files: readonly File[]): FoundFiles =>
  collectLoose(files.map((file) => ({ path: file.webkitRelativePath || file.name, file })));

/** The files and folders that a picker of Chromium answered. */
export const collectHandles = async function* (handles: readonly FileSystemHandle[]): FoundFiles {
  for (const handle of inPairs(handles)) {
    yield* handle.kind === 'directory' ? walkFolder(handle as FileSystemDirectoryHandle) : walkHandle(handle);
  }
};

async function* collectLoose(loose: readonly LooseFile[]): AsyncGenerator<readonly FoundFile[]> {
  const files = loose.map((file) => ({ name: file.path, file })).filter(({ name }) => !isClutter(lastOf(name)));
  const ordered = inPairs(files);
  for (let from = 0; from < ordered.length; from += sliceLength) {
    yield ordered
      .slice(from, from + sliceLength)
      .map(({ file: { path, file, handle } }) => foundFile(path, file, handle ?? file, handle));
  }
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
