import type { FileIdentity } from '../plan/uploadFile.ts';

/** A file of an earlier visit, by its place in the plan. */
type KnownFile = FileIdentity & { readonly id: number };

/** Recognises files of earlier visits when the browser is given them again. What it costs grows with the files, not with the batches they come in. */
export interface SavedMatcher {
  readonly add: (files: readonly KnownFile[]) => void;
  /**
   * Which of the files that the browser gives us are those that an earlier visit had begun with: same name, size and time of change; where there are
   * several such, the one with the same path. Answers the place of the match for each file in `found`, or nothing for a new one. Each is matched
   * once.
   */
  readonly match: (found: readonly FileIdentity[]) => (number | undefined)[];
}

export const makeSavedMatcher = (): SavedMatcher => {
  const byPath = new Map<string, number[]>();
  const byName = new Map<string, number[]>();
  const taken = new Set<number>();
  /** The first that was not taken; those before it are forgotten. */
  const take = (ids: number[] | undefined): number | undefined => {
    let id = ids?.pop();
    while (id !== undefined && taken.has(id)) id = ids?.pop();
    if (id !== undefined) taken.add(id);
    return id;
  };
  return {
    add: (files) => {
      // Taken from the end, so the first comes last.
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
