import type { Found } from './searchList.ts';

/** A ranked list to fuse. */
export interface RankedList {
  /** The best items of the list, best first. */
  readonly found: readonly Found[];
  /** True if `found` has all items of the list. */
  readonly isWhole: boolean;
  /** Position where the previous pages left the list. Undefined on the first page. */
  readonly after?: Found | undefined;
  /** True for the semantic list. Items found by words and by meaning get both scores. */
  readonly isSemantic?: boolean;
}

/** A page of fused items, and the positions where the next page continues. */
export interface Fused {
  readonly ids: readonly string[];
  /** True if another item follows. Unknown if `isShort`. */
  readonly hasMore: boolean;
  /** True if a list was read too short to know what follows. */
  readonly isShort: boolean;
  /** Position where the page leaves each list: all items up to this one were shown. */
  readonly left: readonly (Found | undefined)[];
  /** Marks of items already shown that are after the position in every list. */
  readonly ahead: string;
}

/** Sort order of ranked items: by score, then newest first, then id. */
export const compareFound = (a: Found, b: Found): number =>
  b.score - a.score || compareText(b.localTime, a.localTime) || compareText(b.id, a.id);

/** Constant of reciprocal rank fusion (Cormack, Clarke, Büttcher: https://doi.org/10.1145/1571941.1572114). */
const k = 60;

/**
 * Scores by words and by meaning are added only if both ranks are at most this. So the sum is known without reading lists
 * further.
 */
export const fusedRanks = 100;

/**
 * Maximum number of marks in a position. Usually at most `fusedRanks` items are ahead, but more if many items were added
 * or removed. With this many marks, a cursor takes 3,700 of its 4,096 characters.
 */
const maxAhead = 1.5 * fusedRanks;
export const markLength = 10;
export const aheadLength = markLength * maxAhead;

/** Returns the last hexadecimal digits of an id, which are random and identify an item. */
const getMark = (id: string): string => id.replaceAll('-', '').slice(-markLength);

/**
 * Fuses ranked lists by reciprocal rank, 1 / (60 + rank). An item's score is that of its best rank. If its best rank by
 * words and its rank by meaning are both within the first hundred, it is the sum of both. Ties go to the earlier list. So
 * the order does not depend on how far the lists were read.
 *
 * Continues where the previous pages left each list. An item at or before the position of any list, or in `ahead`, was
 * on an earlier page, whatever was added or removed since.
 */
export const fuseRanked = (
  lists: readonly RankedList[],
  { ahead, skip, size }: { readonly ahead: string; readonly skip: number; readonly size: number },
): Fused => {
  const marks = new Set(ahead.match(new RegExp(`.{${markLength}}`, 'g')));
  const served = new Set(
    lists
      .flatMap(({ found, after }) =>
        found.filter((item) => marks.has(getMark(item.id)) || (after !== undefined && compareFound(item, after) <= 0)),
      )
      .map(({ id }) => id),
  );
  const candidates = [...rankAll(lists)]
    .filter(([id]) => !served.has(id))
    .map(([id, ranks]) => computeScore(id, ranks));
  candidates.sort((a, b) => b.score - a.score || a.rank - b.rank || a.index - b.index);
  const taken = candidates.slice(0, skip + size);
  const next = candidates[skip + size];
  // Best possible score of the unread items.
  const unread = Math.max(0, ...lists.map(({ found, isWhole }) => (isWhole ? 0 : 1 / (k + found.length + 1))));
  for (const { id } of taken) served.add(id);
  const ends = lists.map(({ found }) => {
    const end = found.findIndex(({ id }) => !served.has(id));
    return end === -1 ? found.length : end;
  });
  const covered = new Set(
    lists.flatMap(({ found }, index) => found.slice(0, ends[index]).map(({ id }) => getMark(id))),
  );
  const stillAhead = [...marks, ...taken.map(({ id }) => getMark(id))].filter((mark) => !covered.has(mark));
  return {
    ids: taken.slice(skip).map(({ id }) => id),
    hasMore: next !== undefined,
    isShort: unread > (next?.score ?? 0),
    left: lists.map(({ found, after }, index) => findLater(found[ends[index]! - 1], after)),
    ahead: [...new Set(stillAhead)].slice(-maxAhead).join(''),
  };
};

interface Rank {
  readonly rank: number;
  readonly index: number;
  readonly isSemantic: boolean;
}

/** An item with its score, its best rank and the list with that rank. */
interface Candidate {
  readonly id: string;
  readonly score: number;
  readonly rank: number;
  readonly index: number;
}

/** Returns the ranks of each item in all lists. */
const rankAll = (lists: readonly RankedList[]): Map<string, Rank[]> => {
  const ranks = new Map<string, Rank[]>();
  for (const [index, { found, isSemantic = false }] of lists.entries()) {
    for (const [at, { id }] of found.entries()) {
      const itemRanks = ranks.get(id) ?? [];
      ranks.set(id, itemRanks);
      itemRanks.push({ rank: at + 1, index, isSemantic });
    }
  }
  return ranks;
};

const computeScore = (id: string, ranks: readonly Rank[]): Candidate => {
  const best = (of: readonly Rank[]) => of.toSorted((a, b) => a.rank - b.rank || a.index - b.index)[0];
  const [first, byWords, bySemantics] = [
    best(ranks)!,
    best(ranks.filter((one) => !one.isSemantic)),
    best(ranks.filter((one) => one.isSemantic)),
  ];
  const isTwice =
    byWords !== undefined && bySemantics !== undefined && Math.max(byWords.rank, bySemantics.rank) <= fusedRanks;
  const score = isTwice ? 1 / (k + byWords.rank) + 1 / (k + bySemantics.rank) : 1 / (k + first.rank);
  return { id, score, rank: first.rank, index: first.index };
};

const findLater = (a: Found | undefined, b: Found | undefined): Found | undefined =>
  a !== undefined && b !== undefined && compareFound(a, b) < 0 ? b : (a ?? b);

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
