import { foundFile, isClutter, type FoundFile } from './foundFile.ts';
import { sortByPairs } from './sortByPairs.ts';
import { walkFolder } from './walkFolder.ts';
import { walkEntry, walkHandle } from './walkFolders.ts';

/** Found files, in slices. */
export type FoundFiles = AsyncIterable<readonly FoundFile[]>;

/** Chromium provides handles to dropped files, which outlive a reload. */
type DroppedItem = DataTransferItem & { readonly getAsFileSystemHandle?: () => Promise<FileSystemHandle | null> };

/** Files per slice. Reading size and time of a file blocks the page. */
const sliceLength = 50;

/** Single file with its path, before reading size and time. */
interface LooseFile {
  readonly path: string;
  readonly file: File;
  readonly handle?: FileSystemFileHandle;
}

/**
 * Collects all files of a drop or paste, including those in folders. Must be called in the event handler: the data is
 * only accessible during the event.
 */
export const collectTransfer = (transfer: DataTransfer): FoundFiles => {
  const items = [...transfer.items]
    .filter(({ kind }) => kind === 'file')
    .map((item: DroppedItem) => ({
      handle: item.getAsFileSystemHandle?.().catch(() => null),
      entry: item.webkitGetAsEntry(),
      file: item.getAsFile(),
    }));
  return (async function* () {
    const loose: LooseFile[] = [];
    for (const { handle, entry, file } of items) {
      // Null for data from another page, and for folders that the browser protects.
      const droppedHandle = (await handle) ?? null;
      if (droppedHandle?.kind === 'directory') yield* walkFolder(droppedHandle as FileSystemDirectoryHandle);
      else if (droppedHandle !== null && file !== null) {
        loose.push({ path: file.name, file, handle: droppedHandle as FileSystemFileHandle });
      } else if (entry?.isDirectory === true) yield* walkEntry(entry);
      else if (file !== null) loose.push({ path: file.name, file });
    }
    yield* collectLoose(loose);
  })();
};

/** Collects the files of a file input. */
export const collectList = (files: readonly File[]): FoundFiles =>
  collectLoose(files.map((file) => ({ path: file.webkitRelativePath || file.name, file })));

/** Collects the files and folders of a Chromium picker. */
export const collectHandles = async function* (handles: readonly FileSystemHandle[]): FoundFiles {
  for (const handle of sortByPairs(handles)) {
    yield* handle.kind === 'directory' ? walkFolder(handle as FileSystemDirectoryHandle) : walkHandle(handle);
  }
};

async function* collectLoose(loose: readonly LooseFile[]): AsyncGenerator<readonly FoundFile[]> {
  const files = loose.map((file) => ({ name: file.path, file })).filter(({ name }) => !isClutter(getFilename(name)));
  const ordered = sortByPairs(files);
  for (let from = 0; from < ordered.length; from += sliceLength) {
    yield ordered
      .slice(from, from + sliceLength)
      .map(({ file: { path, file, handle } }) => foundFile(path, file, handle ?? file, handle));
  }
}

const getFilename = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
