import lunr from 'lunr';

/** Entry of the index: a page, or a part of one. */
interface Entry {
  readonly i: number;
  /** Indexed text. */
  readonly t: string;
  /** Path of the page. */
  readonly u: string;
  /** Fragment of the section. */
  readonly h?: string;
  /** Title of the section. */
  readonly s?: string;
  /** Navigation items above the page. */
  readonly b?: readonly string[];
  /** Id of the page that this part belongs to. Absent if the entry is a page. */
  readonly p?: number;
}

export interface SearchIndex {
  readonly documents: readonly Entry[];
  readonly index: lunr.Index;
}

/** Search result as the plugin's search box renders it. */
export interface Found {
  /** Section that matches best. */
  readonly document: Entry;
  readonly type: number;
  readonly page: Entry;
  readonly metadata: object;
  /** Words of the query to mark in the text. */
  readonly tokens: readonly string[];
}

/** Weights of the plugin's indexes, in its order: titles, headings, descriptions, keywords, sections. */
const weights = [3, 2, 1, 5, 1];
const [descriptionType, keywordsType, contentType] = [2, 3, 4];

const userGuide = /^\/docs\/user-guide\/(?!reference\/)/;
const reference = /^\/docs\/(?:user-guide\/reference|admin-guide)\//;
const api = /^\/api\b/;

/** Names, such as `HEARTH_PUBLIC_URL` or `library.publicUrl`. The reference explains them. */
const names = /\w[_.]\w/;

/** Ranks the user guide first, then other pages, the reference and the API. For a name, the reference ranks first. */
const getBoost = (path: string, isName: boolean): number => {
  if (api.test(path)) return 0.1;
  if (reference.test(path)) return isName ? 6 : 0.4;
  return userGuide.test(path) ? 2 : 0.8;
};

/** Boost of words that start with the last word of the query, which the reader may still be typing. */
const prefixBoost = 0.3;

/** Minimum length of a prefix. */
const minPrefix = 3;

interface Page {
  score: number;
  /** Words of the query that the page contains, stemmed. */
  readonly terms: Set<string>;
  best?: { readonly section: Entry; readonly metadata: object };
}

/**
 * Returns one result per page that matches any of the words, best first. Each result shows the section that matches
 * best.
 */
export const rankPages = (indexes: readonly SearchIndex[], words: string): readonly Found[] => {
  const tokens = words
    .toLowerCase()
    .split(/[-\s]+/)
    .map((word) => word.replaceAll(/^\W+|\W+$/g, ''))
    .filter((word) => word !== '');
  if (tokens.length === 0) return [];
  const exact = collectPages(indexes, tokens, 0);
  // Typing errors are allowed only if nothing matches exactly.
  const pages = exact.size > 0 ? exact : collectPages(indexes, tokens, 1);
  // Words such as "how" are not indexed.
  const marked = tokens.filter((token) => lunr.stopWordFilter(new lunr.Token(token, {})) !== undefined);
  const isName = tokens.some((token) => names.test(token));
  const titles = new Map(indexes[0]?.documents.map((page) => [page.i, page]));
  return [...pages]
    .map(([id, { score, terms, best }]) => {
      const page = titles.get(id)!;
      return { page, best, score: score * terms.size * getBoost(page.u, isName) };
    })
    .toSorted((a, b) => b.score - a.score)
    .map(({ page, best }) => toResult(page, best, marked));
};

const stem = (word: string): string => lunr.stemmer(new lunr.Token(word, {})).toString();

/** @param distance allowed number of typing errors per word of more than three letters */
const collectPages = (
  indexes: readonly SearchIndex[],
  tokens: readonly string[],
  distance: number,
): ReadonlyMap<number, Page> => {
  const pages = new Map<number, Page>();
  const last = tokens.at(-1)!;
  const stems = new Set(tokens.map((token) => stem(token)));
  for (const [type, { documents, index }] of indexes.entries()) {
    const byId = new Map(documents.map((entry) => [String(entry.i), entry]));
    const matches = index.query((query) => {
      for (const token of tokens) query.term(token, { editDistance: token.length > 3 ? distance : 0 });
      if (last.length >= minPrefix) query.term(last, { wildcard: lunr.Query.wildcard.TRAILING, boost: prefixBoost });
    });
    /** Pages whose best entry of this type is counted. */
    const counted = new Set<number>();
    for (const { ref, score, matchData } of matches) {
      const entry = byId.get(ref)!;
      const id = entry.p ?? entry.i;
      const page = pages.get(id) ?? { score: 0, terms: new Set() };
      pages.set(id, page);
      for (const term of Object.keys(matchData.metadata)) page.terms.add(stems.has(term) ? term : stem(last));
      if (!counted.has(id)) page.score += weights[type]! * score;
      counted.add(id);
      if (type === contentType) page.best ??= { section: entry, metadata: matchData.metadata };
    }
  }
  return pages;
};

/** The plugin renders sections as a path and an excerpt, and pages that match by keywords as a path. */
const toResult = (page: Entry, best: Page['best'], tokens: readonly string[]): Found =>
  best === undefined
    ? { document: { ...page, s: page.t }, type: keywordsType, page, metadata: {}, tokens }
    : { document: { ...best.section, i: page.i }, type: descriptionType, page, metadata: best.metadata, tokens };
