import { findAnsweringModel } from '../../semantic/answeringModel.ts';
import { findByEmbedding, findSimilarToItem } from '../../semantic/findByEmbedding.ts';
import { getMediaItem } from '@hearth/core/items/mediaItems.ts';
import { findPrepared, prepareSearch, listVisibleItems } from './queries.ts';
import type { RankSemantically } from './semanticSearch.ts';
import { suggestSearches } from './suggestSearches.ts';
import type { Database } from '@hearth/core/db/database.ts';
import { withTimeLimit } from '../../database/withTimeLimit.ts';
import type { QueryEmbedding } from '@hearth/core/config/searchModels.ts';
import type { Deps } from '../../deps/deps.ts';
import type { Handlers } from '../../http/handle.ts';
import { viewItems } from '../../lists/itemView.ts';
import { nextPageLink, pageIn } from '../../lists/listPage.ts';
import { presentFound } from './presenter.ts';
import { searchLimits } from '../../semantic/searchLimiter.ts';
import { searchCursors, similarCursors } from './cursors.ts';

const timeLimit = {
  ms: searchLimits.seconds * 1_000,
  sentence: 'Search timed out; use fewer or rarer words',
};

/**
 * Embeds texts with the model of the user's library. Returns undefined unless all succeed. Call it without holding a
 * connection, because the model may be slow or hang.
 */
const embedTexts = async ({ db, embedQuery }: Deps, userId: string, texts: readonly string[]) => {
  const embeddings = new Map<string, QueryEmbedding>();
  await Promise.all(
    texts.map(async (text) => {
      const embedding = await embedQuery(db, userId, text);
      if (embedding !== undefined) embeddings.set(text, embedding);
    }),
  );
  return texts.every((text) => embeddings.has(text)) ? embeddings : undefined;
};

/** Creates a ranking by these embeddings on one connection. */
const rankBy =
  (
    db: Database,
    { candidates }: Deps,
    userId: string,
    embeddings: ReadonlyMap<string, QueryEmbedding>,
  ): RankSemantically =>
  async (text, options) => {
    const embedding = embeddings.get(text);
    return embedding && (await findByEmbedding(db, candidates, userId, embedding, options)).found;
  };

const searchMediaItems: Handlers['searchMediaItems'] = async (deps, { query, user, req }) => {
  const { db, links, searches } = deps;
  const { page, limit, cursor, ...search } = query;
  const { q = '', today, ...filters } = search;
  const cursorsOfSearch = searchCursors(search);
  const pageRequest = pageIn(cursorsOfSearch, { page, limit, cursor });
  const { entries, next, reasons, isSemantic } = await searches(user.userId, async () => {
    const prepared = await withTimeLimit(db, timeLimit, (trx) =>
      prepareSearch(trx, user, q, pageRequest, { filters, today, isSemanticOn: true }),
    );
    const embeddings = await embedTexts(deps, user.userId, prepared.semantic);
    return withTimeLimit(db, timeLimit, (trx) =>
      findPrepared(trx, prepared, embeddings && rankBy(trx, deps, user.userId, embeddings)),
    );
  });
  const view = await viewItems({ db, links }, user, entries);
  return {
    status: 200,
    headers: {
      Link: nextPageLink(cursorsOfSearch, next, req.originalUrl),
      'X-Search-Mode': isSemantic ? 'meaning' : 'text',
    },
    body: entries.map((row) => presentFound(view, row, reasons.get(row.id))),
  };
};

const listSimilarMediaItems: Handlers['listSimilarMediaItems'] = async (deps, { params: { id }, query, user, req }) => {
  const { db, links, searches, candidates } = deps;
  const { userId } = user;
  const { limit } = query;
  const after = query.cursor === undefined ? undefined : similarCursors.decode(query.cursor);
  await getMediaItem(db, userId, id);
  const similar = await searches(userId, () =>
    withTimeLimit(db, timeLimit, async (trx) => {
      const model = await findAnsweringModel(trx, userId);
      return model && findSimilarToItem(trx, candidates, { userId, id, model }, { limit: limit + 1, after });
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
      Link: nextPageLink(similarCursors, next, req.originalUrl),
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
