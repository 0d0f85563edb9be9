import { findAnsweringModel } from '@hearth/core/db/embeddings/answeringModel.ts';
import { findByMeaning, findLikeItem } from '@hearth/core/db/embeddings/findByMeaning.ts';
import { getMediaItem, listVisibleItems } from '@hearth/core/db/items/mediaItems.ts';
import { searchByText } from '@hearth/core/db/search/search.ts';
import type { RankByMeaning } from '@hearth/core/db/search/searchMeaning.ts';
import { suggestSearches } from '@hearth/core/db/search/suggestSearches.ts';
import { withinTime } from '@hearth/core/db/connection/withinTime.ts';
import type { Database } from '@hearth/core/db/connection/database.ts';
import type { Deps } from '../deps/deps.ts';
import type { Handlers } from '../http/handlers.ts';
import { viewItems } from '../presenters/itemView.ts';
import { nextPageLink, pageIn } from '../presenters/listPage.ts';
import { cursors, searchCursors } from '../presenters/positions.ts';
import { presentFound } from '../presenters/search.ts';
import { searchLimits } from '../limits/searchLimiter.ts';

const inTime = {
  ms: searchLimits.seconds * 1_000,
  sentence: 'The search took too long; search for fewer words, or rarer ones',
};

/** Ranks a user's items by the model that answers for the user. `db` is the connection of the search, so that a search has no other. */
const rankByMeaning =
  ({ embedQuery, candidates }: Deps, db: Database, userId: string): RankByMeaning =>
  async (words, options) => {
    const meaning = await embedQuery(db, userId, words);
    return meaning && (await findByMeaning(db, candidates, userId, meaning, options)).found;
  };

const searchMediaItems: Handlers['searchMediaItems'] = async (deps, { query, user, req }) => {
  const { db, links, searches } = deps;
  const { page, limit, cursor, ...search } = query;
  const { q = '', today, ...filters } = search;
  const ofSearch = searchCursors(search);
  const { entries, next, reasons, isByMeaning } = await searches(user.userId, () =>
    withinTime(db, inTime, (trx) =>
      searchByText(trx, user, q, pageIn(ofSearch, { page, limit, cursor }), {
        filters,
        today,
        rankByMeaning: rankByMeaning(deps, trx, user.userId),
      }),
    ),
  );
  const view = await viewItems({ db, links }, user, entries);
  return {
    status: 200,
    headers: { Link: nextPageLink(ofSearch, next, req.originalUrl), 'X-Search-Mode': isByMeaning ? 'meaning' : 'text' },
    body: entries.map((row) => presentFound(view, row, reasons.get(row.id))),
  };
};

const listSimilarMediaItems: Handlers['listSimilarMediaItems'] = async (deps, { params: { id }, query, user, req }) => {
  const { db, links, searches, candidates } = deps;
  const { userId } = user;
  const { limit } = query;
  const after = query.cursor === undefined ? undefined : cursors.similar.decode(query.cursor);
  await getMediaItem(db, userId, id);
  const similar = await searches(userId, () =>
    withinTime(db, inTime, async (trx) => {
      const model = await findAnsweringModel(trx, userId);
      return model && findLikeItem(trx, candidates, { userId, id, model }, { limit: limit + 1, after });
    }),
  );
  const page = similar?.slice(0, limit) ?? [];
  const next = (similar?.length ?? 0) > limit ? page.at(-1) : undefined;
  const rows = await listVisibleItems(
    db,
    userId,
    page.map((each) => each.id),
  );
  const view = await viewItems({ db, links }, user, rows);
  return {
    status: 200,
    headers: {
      Link: nextPageLink(cursors.similar, next, req.originalUrl),
      'X-Search-Mode': similar === undefined ? 'text' : 'meaning',
    },
    body: rows.map((row) => presentFound(view, row, [{ kind: 'meaning', words: [] }])),
  };
};

const listSearchSuggestions: Handlers['listSearchSuggestions'] = async ({ db }, { query: { q, limit }, user }) => ({
  status: 200,
  body: await suggestSearches(db, user, q, limit),
});

export const searchHandlers = {
  searchMediaItems,
  listSimilarMediaItems,
  listSearchSuggestions,
} satisfies Partial<Handlers>;
