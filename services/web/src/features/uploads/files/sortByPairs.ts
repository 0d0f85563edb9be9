/**
 * Sorts files by name, with both files of a Live Photo (`IMG_1.HEIC`, `IMG_1.MOV`) together, the photo first. They then
 * arrive together, and the video appears as a separate item only briefly.
 */
export const sortByPairs = <T extends { readonly name: string }>(files: readonly T[]): T[] =>
  files
    .map((file) => ({ file, base: getBaseName(file.name), isFilm: videoExtensions.test(file.name) }))
    .toSorted(
      (a, b) => compare(a.base, b.base) || Number(a.isFilm) - Number(b.isFilm) || compare(a.file.name, b.file.name),
    )
    .map(({ file }) => file);

const videoExtensions = /\.(mov|mp4|m4v)$/i;

const getBaseName = (name: string): string => name.replace(/\.[^.]*$/, '').toLowerCase();

// Compares code units: a collator takes 0.5 s for 20,000 names.
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
