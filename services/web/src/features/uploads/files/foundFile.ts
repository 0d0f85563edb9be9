import type { FileIdentity } from '../plan/uploadFile.ts';
import type { FileSource } from './fileSource.ts';

/** Folder or file whose access can be requested again after a reload. */
export type Root = FileSystemDirectoryHandle | FileSystemFileHandle;

export interface FoundFile extends FileIdentity {
  readonly source: FileSource;
  /** Handle to request after a reload, if the browser supports it. */
  readonly root?: Root | undefined;
}

/** Returns whether a file is metadata of the operating system. Such files are skipped silently. */
export const isClutter = (name: string): boolean =>
  name.startsWith('.') || /^(?:thumbs\.db|ehthumbs\.db|desktop\.ini|icon\r)$/i.test(name);

/** `path`: relative, starting with the dropped or chosen folder. */
export const foundFile = (path: string, file: File, source: FileSource, root?: Root): FoundFile => ({
  path,
  sizeBytes: file.size,
  lastModified: file.lastModified,
  source,
  root,
});

/** Extensions of files that accompany photos in backups and exports, and are never photos or videos. */
const foreignExtensions = new Set(
  'aae json txt md html htm xml xmp csv pdf doc docx xls xlsx ppt pptx odt ods zip 7z rar tar gz mp3 m4a aac wav flac wma ini db url lnk exe dmg'.split(
    ' ',
  ),
);

/**
 * Returns whether a file cannot be a photo or video, by its extension. Exports can contain thousands of such files;
 * they are refused without being read. For all other files, the server decides by content.
 */
export const isForeignFile = (path: string): boolean => {
  const dot = path.lastIndexOf('.');
  return dot > path.lastIndexOf('/') && foreignExtensions.has(path.slice(dot + 1).toLowerCase());
};
