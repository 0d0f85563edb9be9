import type { FileIdentity } from '../plan/uploadFile.ts';

/** File of an earlier visit with its id in the plan. */
type KnownFile = FileIdentity & { readonly id: number };

/**
 * Matches files against those of earlier visits. The total cost is linear in the number of files, for any number of
 * batches.
 */
export interface SavedMatcher {
  readonly add: (files: readonly KnownFile[]) => void;
  /**
   * Returns the id of the matching file for each found file, or undefined for a new one. Compares name, size and
   * modification time, and prefers the same path. Each file is matched once.
   */
  readonly match: (found: readonly FileIdentity[]) => (number | undefined)[];
}

export const makeSavedMatcher = (): SavedMatcher => {
  const byPath = new Map<string, number[]>();
  const byName = new Map<string, number[]>();
  const taken = new Set<number>();
  /** Removes and returns the first id that was not taken. */
  const take = (ids: number[] | undefined): number | undefined => {
    let id = ids?.pop();
    while (id !== undefined && taken.has(id)) id = ids?.pop();
    if (id !== undefined) taken.add(id);
    return id;
  };
  return {
    add: (files) => {
      // `take` pops from the end, so the first file comes last.
      for (const file of files.toReversed()) {
        addTo(byPath, pathKeyOf(file), file.id);
        addTo(byName, nameKeyOf(file), file.id);
      }
    },
    match: (found) => {
      const exact = found.map((file) => take(byPath.get(pathKeyOf(file))));
      return found.map((file, index) => exact[index] ?? take(byName.get(nameKeyOf(file))));
    },
  };
};

const addTo = (map: Map<string, number[]>, key: string, id: number): void => {
  const ids = map.get(key);
  if (ids === undefined) map.set(key, [id]);
  else ids.push(id);
};

const pathKeyOf = ({ path, sizeBytes, lastModified }: FileIdentity): string => `${sizeBytes}/${lastModified}/${path}`;

const nameKeyOf = ({ path, ...rest }: FileIdentity): string =>
  pathKeyOf({ ...rest, path: path.slice(path.lastIndexOf('/') + 1) });
