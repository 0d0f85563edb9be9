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
  const matchedIds = new Set<number>();
  /** Removes and returns the first id that is not matched yet. */
  const takeMatch = (ids: number[] | undefined): number | undefined => {
    let id = ids?.pop();
    while (id !== undefined && matchedIds.has(id)) id = ids?.pop();
    if (id !== undefined) matchedIds.add(id);
    return id;
  };
  return {
    add: (files) => {
      // `takeMatch` pops from the end, so the first file comes last.
      for (const file of files.toReversed()) {
        addTo(byPath, toPathKey(file), file.id);
        addTo(byName, toNameKey(file), file.id);
      }
    },
    match: (found) => {
      const exact = found.map((file) => takeMatch(byPath.get(toPathKey(file))));
      return found.map((file, index) => exact[index] ?? takeMatch(byName.get(toNameKey(file))));
    },
  };
};

const addTo = (map: Map<string, number[]>, key: string, id: number): void => {
  const ids = map.get(key);
  if (ids === undefined) map.set(key, [id]);
  else ids.push(id);
};

const toPathKey = ({ path, sizeBytes, lastModified }: FileIdentity): string => `${sizeBytes}/${lastModified}/${path}`;

const toNameKey = ({ path, ...rest }: FileIdentity): string =>
  toPathKey({ ...rest, path: path.slice(path.lastIndexOf('/') + 1) });
