import { readSharedFile } from '../../../lib/browser/sharedFiles.ts';

/**
 * Where the bytes of a file can be had while the page is open: never the bytes themselves. A handle of a folder leads to the file by the names on
 * the way; `shared` names a file that another app has handed over.
 */
export type FileSource =
  | File
  | FileSystemFileHandle
  | { readonly folder: FileSystemDirectoryHandle; readonly names: readonly string[] }
  | { readonly shared: number };

/** The file as it is now. @throws DOMException where it is gone or may not be read. */
export const openFile = async (source: FileSource): Promise<File> => {
  if (source instanceof File) return source;
  if ('shared' in source) return readSharedFile(source.shared);
  if ('getFile' in source) return source.getFile();
  let { folder } = source;
  const [name = '', ...folders] = source.names.toReversed();
  for (const part of folders.toReversed()) folder = await folder.getDirectoryHandle(part);
  return (await folder.getFileHandle(name)).getFile();
};
