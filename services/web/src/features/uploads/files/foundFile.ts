import type { FileIdentity } from '../plan/uploadFile.ts';
import type { FileSource } from './fileSource.ts';

/** What the browser can ask for again after a reload: a folder, or a single file. */
export type Root = FileSystemDirectoryHandle | FileSystemFileHandle;

/** A file that somebody wants to upload. */
export interface FoundFile extends FileIdentity {
  readonly source: FileSource;
  /** What to ask for after a reload, where the browser can. */
  readonly root?: Root | undefined;
}

/** What operating systems put beside pictures, and nobody wants to upload or to be told about. */
export const isClutter = (name: string): boolean =>
  name.startsWith('.') || /^(?:thumbs\.db|ehthumbs\.db|desktop\.ini|icon\r)$/i.test(name);

/** A file that was found, by its path from what was dropped or chosen on. */
export const foundFile = (path: string, file: File, source: FileSource, root?: Root): FoundFile => ({
  path,
  sizeBytes: file.size,
  lastModified: file.lastModified,
  source,
  root,
});

/** Kinds of files that lie beside photos in backups and exports, and that are never photos or videos themselves. */
const foreignEndings = new Set(
  'aae json txt md html htm xml xmp csv pdf doc docx xls xlsx ppt pptx odt ods zip 7z rar tar gz mp3 m4a aac wav flac wma ini db url lnk exe dmg'.split(
    ' ',
  ),
);

/**
 * Whether the ending of the name alone tells that the file is no photo or video. An export can hold thousands of these, and none needs to be read or
 * sent; for every other name the server decides by the content.
 */
export const isForeignFile = (path: string): boolean => {
  const dot = path.lastIndexOf('.');
  return dot > path.lastIndexOf('/') && foreignEndings.has(path.slice(dot + 1).toLowerCase());
};
