import type { Found } from './searchMatches.ts';

/** One of the ranked lists that a search puts together: its best items, whether these are all, and behind which it is entered. */
export interface RankedList {
  readonly found: readonly Found[];
  readonly isWhole: boolean;
  readonly after?: Found | undefined;
}

/** Items of fused lists, and where each list was left behind the last of them. */
export interface Fused {
  readonly ids: readonly string[];
  /** Whether another item follows; not known where `isShort`. */
  readonly hasMore: boolean;
  /** Whether the end of a list was reached that was not read to its end, so that what follows is not known. */
  readonly isShort: boolean;
  readonly turn: number;
  readonly left: readonly (Found | undefined)[];
}

/** The one order of items in a ranked list: by score, then the newest first, then by id. */
export const compareFound = (a: Found, b: Found): number =>
  b.score - a.score || compareText(b.localTime, a.localTime) || compareText(b.id, a.id);

/**
 * Puts ranked lists into one. The best rank that an item has in any list decides where it stands; of two items of equal rank the one of the earlier
 * list comes first. So the order does not depend on how far the lists were read. Goes on where the pages before have left each list, with the list
 * whose `turn` it is: an item at or before the position of any list has been on an earlier page, whatever has come or gone since.
 */
export const fuseRanked = (
  lists: readonly RankedList[],
  { turn, skip, size }: { readonly turn: number; readonly skip: number; readonly size: number },
): Fused => {
  const next = lists.map(({ found, after }) =>
    after === undefined ? 0 : found.findLastIndex((item) => compareFound(item, after) <= 0) + 1,
  );
  const seen = new Set(lists.flatMap(({ found }, index) => found.slice(0, next[index]).map(({ id }) => id)));
  const ids: string[] = [];
  let [current, isShort] = [turn, false];
  const takeOne = (): string | undefined => {
    for (let passed = 0; passed < lists.length;) {
      const index = current % lists.length;
      const { found, isWhole } = lists[index]!;
      const item = found[next[index]!];
      isShort ||= item === undefined && !isWhole;
      current = index + 1;
      passed = item === undefined ? passed + 1 : 0;
      if (item === undefined) continue;
      next[index] = next[index]! + 1;
      if (seen.has(item.id)) continue;
      seen.add(item.id);
      return item.id;
    }
    return undefined;
  };
  for (let taken = 0; taken < skip + size; taken++) {
    const id = takeOne();
    if (id === undefined) break;
    if (taken >= skip) ids.push(id);
  }
  const place = current;
  const left = lists.map(({ found, after }, index) => furtherOf(found[next[index]! - 1], after));
  const hasMore = ids.length === size && takeOne() !== undefined;
  return { ids, hasMore, isShort, turn: place, left };
};

const furtherOf = (a: Found | undefined, b: Found | undefined): Found | undefined =>
  a !== undefined && b !== undefined && compareFound(a, b) < 0 ? b : (a ?? b);

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
