import type { Found } from './searchList.ts';

/** One of the ranked lists that a search puts together: its best items, whether these are all, and behind which it is entered. */
export interface RankedList {
  readonly found: readonly Found[];
  readonly isWhole: boolean;
  readonly after?: Found | undefined;
  /** Whether it is ranked by meaning: what is found by words and by meaning counts twice. */
  readonly isMeant?: boolean;
}

/** Items of fused lists, and where each list was left behind the last of them. */
export interface Fused {
  readonly ids: readonly string[];
  /** Whether another item follows; not known where `isShort`. */
  readonly hasMore: boolean;
  /** Whether the end of a list was reached that was not read to its end, so that what follows is not known. */
  readonly isShort: boolean;
  readonly left: readonly (Found | undefined)[];
  /** Marks of the items that have been shown though they stand behind the position of every list. */
  readonly ahead: string;
}

/** The one order of items in a ranked list: by score, then the newest first, then by id. */
export const compareFound = (a: Found, b: Found): number =>
  b.score - a.score || compareText(b.localTime, a.localTime) || compareText(b.id, a.id);

/** The constant of reciprocal rank fusion. Cormack, Clarke, Büttcher: https://doi.org/10.1145/1571941.1572114 */
const k = 60;

/** Down to which rank of both an item counts by words and by meaning; so lists need not be read further to know its sum. */
export const fusedRanks = 100;

/**
 * How many marks a position holds: at rest no more than `fusedRanks` items can stand ahead, and more come to be where many items come and go. With as
 * many a cursor has 3,700 of its 4,096 characters.
 */
const maxAhead = 1.5 * fusedRanks;
export const markLength = 10;
export const aheadLength = markLength * maxAhead;

/** Hexadecimal digits of an id that tell items apart: those at its end are random. */
const markOf = (id: string): string => id.replaceAll('-', '').slice(-markLength);

/**
 * Puts ranked lists into one by reciprocal rank, 1 / (60 + rank), by the best rank that words give and, of the first hundred, that by meaning added to it;
 * of equal ones that of the earlier list comes first. So the order does not depend on how far the lists were read.
 *
 * Goes on where the pages before have left each list: an item at or before the position of any list, or in `ahead`, has been on an earlier page,
 * whatever has come or gone since.
 */
export const fuseRanked = (
  lists: readonly RankedList[],
  { ahead, skip, size }: { readonly ahead: string; readonly skip: number; readonly size: number },
): Fused => {
  const marks = new Set(ahead.match(new RegExp(`.{${markLength}}`, 'g')));
  const served = new Set(
    lists
      .flatMap(({ found, after }) =>
        found.filter((item) => marks.has(markOf(item.id)) || (after !== undefined && compareFound(item, after) <= 0)),
      )
      .map(({ id }) => id),
  );
  const candidates = [...rankAll(lists)].filter(([id]) => !served.has(id)).map(([id, ranks]) => scoreOf(id, ranks));
  candidates.sort((a, b) => b.score - a.score || a.rank - b.rank || a.index - b.index);
  const taken = candidates.slice(0, skip + size);
  const next = candidates[skip + size];
  // What a list that was not read to its end has behind what was read.
  const unread = Math.max(0, ...lists.map(({ found, isWhole }) => (isWhole ? 0 : 1 / (k + found.length + 1))));
  for (const { id } of taken) served.add(id);
  const ends = lists.map(({ found }) => {
    const end = found.findIndex(({ id }) => !served.has(id));
    return end === -1 ? found.length : end;
  });
  const covered = new Set(lists.flatMap(({ found }, index) => found.slice(0, ends[index]).map(({ id }) => markOf(id))));
  const stillAhead = [...marks, ...taken.map(({ id }) => markOf(id))].filter((mark) => !covered.has(mark));
  return {
    ids: taken.slice(skip).map(({ id }) => id),
    hasMore: next !== undefined,
    isShort: unread > (next?.score ?? 0),
    left: lists.map(({ found, after }, index) => furtherOf(found[ends[index]! - 1], after)),
    ahead: [...new Set(stillAhead)].slice(-maxAhead).join(''),
  };
};

interface Rank {
  readonly rank: number;
  readonly index: number;
  readonly isMeant: boolean;
}

/** An item with its score, its best rank, and in which list it has that. */
interface Candidate {
  readonly id: string;
  readonly score: number;
  readonly rank: number;
  readonly index: number;
}

/** In which lists each item is, and at which rank. */
const rankAll = (lists: readonly RankedList[]): Map<string, Rank[]> => {
  const ranks = new Map<string, Rank[]>();
  for (const [index, { found, isMeant = false }] of lists.entries()) {
    for (const [at, { id }] of found.entries()) {
      const known = ranks.get(id) ?? [];
      ranks.set(id, known);
      known.push({ rank: at + 1, index, isMeant });
    }
  }
  return ranks;
};

const scoreOf = (id: string, ranks: readonly Rank[]): Candidate => {
  const best = (of: readonly Rank[]) => of.toSorted((a, b) => a.rank - b.rank || a.index - b.index)[0];
  const [first, worded, meant] = [
    best(ranks)!,
    best(ranks.filter((one) => !one.isMeant)),
    best(ranks.filter((one) => one.isMeant)),
  ];
  const isTwice = worded !== undefined && meant !== undefined && Math.max(worded.rank, meant.rank) <= fusedRanks;
  const score = isTwice ? 1 / (k + worded.rank) + 1 / (k + meant.rank) : 1 / (k + first.rank);
  return { id, score, rank: first.rank, index: first.index };
};

const furtherOf = (a: Found | undefined, b: Found | undefined): Found | undefined =>
  a !== undefined && b !== undefined && compareFound(a, b) < 0 ? b : (a ?? b);

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
