import { searchByText } from '@hearth/core/db/search/search.ts';
import { withinTime } from '@hearth/core/db/connection/withinTime.ts';
import type { Handlers } from '../http/handlers.ts';
import { viewItems } from '../presenters/itemView.ts';
import { presentMediaItem } from '../presenters/mediaItem.ts';
import { nextPageLink, pageIn } from '../presenters/listPage.ts';
import { searchCursors } from '../presenters/positions.ts';
import { searchLimits } from '../limits/searchLimiter.ts';

const inTime = {
  ms: searchLimits.seconds * 1_000,
  sentence: 'The search took too long; search for fewer words, or rarer ones',
};

const searchMediaItems: Handlers['searchMediaItems'] = async ({ db, links, searches }, { query, user, req }) => {
  const ofQuery = searchCursors(query.q);
  const { entries: items, next } = await searches(user.userId, () =>
    withinTime(db, inTime, (trx) => searchByText(trx, user, query.q, pageIn(ofQuery, query))),
  );
  const view = await viewItems({ db, links }, user, items);
  return {
    status: 200,
    headers: { Link: nextPageLink(ofQuery, next, req.originalUrl), 'X-Search-Mode': 'text' },
    body: items.map((row) => presentMediaItem(view, row)),
  };
};

export const searchHandlers = { searchMediaItems } satisfies Partial<Handlers>;
