/**
 * The names of a folder in an order in which the halves of a Live Photo, `IMG_1.HEIC` and `IMG_1.MOV`, follow one another, the photo first: they
 * reach the library together, and nobody sees the film as an item of its own for long.
 */
export const inPairs = <T extends { readonly name: string }>(files: readonly T[]): T[] =>
  files
    .map((file) => ({ file, base: baseOf(file.name), isFilm: films.test(file.name) }))
    .toSorted(
      (a, b) => compare(a.base, b.base) || Number(a.isFilm) - Number(b.isFilm) || compare(a.file.name, b.file.name),
    )
    .map(({ file }) => file);

const films = /\.(mov|mp4|m4v)$/i;

const baseOf = (name: string): string => name.replace(/\.[^.]*$/, '').toLowerCase();

// By code units: a collator takes half a second for 20,000 names.
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
