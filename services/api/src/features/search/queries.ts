import { sql } from 'kysely';
import { maxSearchResults } from '@hearth/contract/limits.ts';
import type { SearchFilters } from '@hearth/contract/searchFilters.ts';
import type { Database } from '@hearth/core/db/database.ts';
import { offsetOf, type PageOf, type CursorPage } from '../../database/pages.ts';
import type { Features, MediaItemRow } from '@hearth/core/db/schema.ts';
import { prepared } from '@hearth/core/db/preparedStatements.ts';
import { fusedRanks, fuseRanked, type RankedList } from './lists/searchFusion.ts';
import type { Found } from './lists/searchList.ts';
import { findByMeaning, textsOf, type FoundByMeaning, type RankByMeaning } from './searchMeaning.ts';
import { findByDate, findByName, findByWords, type Ranked, type RankedTo } from './searchRanked.ts';
import type { ReadingKind } from './searchReadings.ts';
import { explainItems, type Reasoning, type SearchReason } from './searchReasons.ts';
import { understand, type Understood, type UnderstoodReading } from './understandQuery.ts';

/**
 * The place behind one item in what a query has found: for each reading of the query the values by which its last item was sorted. So the next page
 * goes on where the order was left, whatever has been added, removed or ranked otherwise since.
 */
export interface SearchPosition {
  /** When the first page was read, as `exactTime` writes it: what was uploaded later does not count towards the thousand results. */
  readonly began: string;
  /** How many items from before `began` the pages up to here have shown. */
  readonly served: number;
  /** Which words were taken for mistyped ones, by their places. */
  readonly mistyped: readonly number[];
  /** Marks of the shown items that stand behind the places in all readings, see `fuseRanked`. */
  readonly ahead: string;
  readonly readings: readonly ReadingPosition[];
}

export interface ReadingPosition {
  readonly kind: ReadingKind;
  readonly at?: Found | undefined;
  readonly rankedTo?: RankedTo | undefined;
  /** The last item of what is found by meaning, as it was when the first page was read. */
  readonly until?: Found | undefined;
}

export interface SearchOptions {
  readonly filters?: SearchFilters;
  /** The day on the user's clock, `2026-11-25`, from which `yesterday` is counted; that of UTC unless told. */
  readonly today?: string | undefined;
  /** Ranks items by what words mean; where there is none, words that nothing has find nothing. */
  readonly rankByMeaning?: RankByMeaning | undefined;
}

export interface SearchPage extends CursorPage<MediaItemRow, SearchPosition> {
  /** Why each of the items was found. */
  readonly reasons: ReadonlyMap<string, readonly SearchReason[]>;
  /** Whether words of the query were asked by meaning, and answered. */
  readonly isByMeaning: boolean;
}

/** A search that knows what its query says. */
export interface PreparedSearch {
  readonly userId: string;
  readonly query: string;
  readonly page: PageOf<SearchPosition>;
  readonly understood: Understood;
  /** The texts that `rankByMeaning` is going to be asked for, so that what takes long about them may be done without a connection. */
  readonly meant: readonly string[];
}

/** Finds out what a query says in a user's library. `hasMeaning`: whether words can be ranked by what they mean. */
export const prepareSearch = async (
  db: Database,
  { userId, features }: { readonly userId: string; readonly features: Features },
  query: string,
  page: PageOf<SearchPosition>,
  { filters = {}, today, hasMeaning }: Omit<SearchOptions, 'rankByMeaning'> & { readonly hasMeaning: boolean },
): Promise<PreparedSearch> => {
  const understood = await understand(
    db,
    { userId, features },
    query,
    { filters, today, hasMeaning },
    positionOf(page),
  );
  const { meant } = understood;
  return { userId, query, page, understood, meant: meant !== undefined && sizeOf(page) > 0 ? textsOf(meant) : [] };
};

/** A page of the search for a query, see `findPrepared`. */
export const searchByText = async (
  db: Database,
  user: { readonly userId: string; readonly features: Features },
  query: string,
  page: PageOf<SearchPosition>,
  { rankByMeaning, ...options }: SearchOptions = {},
): Promise<SearchPage> => {
  const hasMeaning = rankByMeaning !== undefined;
  return findPrepared(db, await prepareSearch(db, user, query, page, { ...options, hasMeaning }), rankByMeaning);
};

const positionOf = ({ start }: PageOf<SearchPosition>): SearchPosition | undefined =>
  'after' in start ? start.after : undefined;

/** How many results a page may have yet. */
const sizeOf = (page: PageOf<SearchPosition>): number =>
  Math.min(page.limit, maxSearchResults - offsetOf(page) - (positionOf(page)?.served ?? 0));

/**
 * A page of a user's visible items that every word of a query finds, each by a name, file name, description, place, camera, text in the
 * picture, property, or date, and that are what the filters ask, the best first. A query that can be read in several ways, "may", finds by each of
 * them; words that are no names also find what they mean. Without words the newest items that the filters ask come first.
 */
export const findPrepared = async (
  db: Database,
  { userId, query, page, understood }: PreparedSearch,
  rankByMeaning: RankByMeaning | undefined,
): Promise<SearchPage> => {
  const position = positionOf(page);
  const [skip, served, size] = [offsetOf(page), position?.served ?? 0, sizeOf(page)];
  const { readings, filterLists, meant: asked } = understood;
  const before = (kind: ReadingKind) => position?.readings.find((each) => each.kind === kind);
  const meant =
    size > 0 && asked && rankByMeaning
      ? await findByMeaning(db, userId, rankByMeaning, asked, filterLists, before('meant')?.until)
      : undefined;
  const isByMeaning = meant !== undefined;
  if (size <= 0) return { entries: [], next: undefined, reasons: new Map(), isByMeaning };
  // One item more than the page tells whether another page follows. Where items have come since the pages before, that may be too few: then four
  // times as many are read.
  for (let end = Math.max(skip + served + size + 1, meant === undefined ? 0 : fusedRanks); ; end *= 4) {
    const found = await Promise.all(
      readings.map((reading) => findByReading(db, userId, query, reading, end, before(reading.kind))),
    );
    const ranked = found.map(({ found: items }, index): RankedList & { readonly kind: ReadingKind } => {
      const { kind } = readings[index]!;
      return { kind, found: items, isWhole: items.length < end, after: before(kind)?.at };
    });
    if (meant !== undefined)
      ranked.push({ kind: 'meant', found: meant.found, isWhole: true, after: before('meant')?.at, isMeant: true });
    const fused = fuseRanked(ranked, { ahead: position?.ahead ?? '', skip, size });
    if (fused.isShort && end < maxLookedThrough) continue;
    const entries = await listVisibleItems(db, userId, fused.ids);
    const { began } = understood;
    const added = entries.filter((item) => item.created_at > new Date(`${began}Z`));
    const next: SearchPosition = {
      began,
      served: skip + served + fused.ids.length - added.length,
      mistyped: understood.mistyped,
      ahead: fused.ahead,
      readings: [
        ...ranked.map(({ kind }, index) => ({
          kind,
          at: fused.left[index],
          rankedTo: found[index]?.rankedTo,
          until: kind === 'meant' ? (before(kind)?.until ?? meant?.found.at(-1)) : undefined,
        })),
        // Those that find nothing now may do so again.
        ...(position?.readings.filter((each) => !ranked.some(({ kind }) => kind === each.kind)) ?? []),
      ],
    };
    return {
      entries,
      next: fused.hasMore && next.served < maxSearchResults ? next : undefined,
      reasons: await explainItems(db, userId, entries, reasoningOf(understood, query, meant)),
      isByMeaning,
    };
  }
};

/**
 * How many of the best items of a reading are read at most to find those behind a position: the items of earlier pages, and items that have come
 * since.
 */
const maxLookedThrough = 64_000;

const findByReading = async (
  db: Database,
  userId: string,
  query: string,
  { kind, lists, spans }: UnderstoodReading,
  end: number,
  before: ReadingPosition | undefined,
): Promise<Ranked> => {
  if (kind === 'named') return findByName(db, userId, query, end, lists, spans);
  return lists.length === 0 ? findByDate(db, userId, spans, end) : findByWords(db, lists, spans, end, before);
};

const reasoningOf = (
  { words, asWords, lists, filterLists, dates, within, readings }: Understood,
  query: string,
  meant: FoundByMeaning | undefined,
): Reasoning => ({
  asked: [
    ...[...asWords].map((place) => ({ word: words[place]!, lists: lists[place]! })),
    ...filterLists.map((ofFilter) => ({ word: undefined, lists: ofFilter })),
  ],
  dates: [...dates, ...(within === undefined ? [] : [{ words: [], spans: [within] }])],
  named: readings.some(({ kind }) => kind === 'named') ? { beginning: query, words } : undefined,
  meant: (id) => meant?.wordsOf(id)?.map((place) => words[place]!),
});

/** Returns those of the items that are visible and the user's, in the given order. */
export const listVisibleItems = async (
  db: Database,
  userId: string,
  ids: readonly string[],
): Promise<MediaItemRow[]> => {
  const { rows } = await sql<MediaItemRow>`
    select item.* from unnest(${ids}::uuid[]) with ordinality as wanted (id, nth)
      join media_items as item on item.id = wanted.id
    where item.user_id = ${userId} and item.visibility = 'visible' order by nth`.execute(prepared(db, 'visible_items'));
  return rows;
};
