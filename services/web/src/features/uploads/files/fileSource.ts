import { readSharedFile } from '../../../lib/browser/sharedFiles.ts';

/**
 * Reference to the bytes of a file while the page is open, never the bytes themselves. `names`: path to the file below
 * `folder`. `shared`: key of a file shared from another app.
 */
export type FileSource =
  | File
  | FileSystemFileHandle
  | { readonly folder: FileSystemDirectoryHandle; readonly names: readonly string[] }
  | { readonly shared: number };

/** Opens the current file. @throws DOMException if it is missing or not readable */
export const openFile = async (source: FileSource): Promise<File> => {
  if (source instanceof File) return source;
  if ('shared' in source) return readSharedFile(source.shared);
  if ('getFile' in source) return source.getFile();
  let { folder } = source;
  const [name = '', ...folders] = source.names.toReversed();
  for (const part of folders.toReversed()) folder = await folder.getDirectoryHandle(part);
  return (await folder.getFileHandle(name)).getFile();
};
