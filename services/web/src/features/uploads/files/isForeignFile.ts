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
