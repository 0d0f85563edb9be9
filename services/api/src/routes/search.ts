import { searchByText } from '@hearth/core/db/search.ts';
import type { Handlers } from '../http/handlers.ts';
import { viewItems } from '../presenters/itemView.ts';
import { presentMediaItem } from '../presenters/mediaItem.ts';
import { nextPageLink, pageIn } from '../presenters/listPage.ts';
import { searchCursors } from '../presenters/positions.ts';

const searchMediaItems: Handlers['searchMediaItems'] = async ({ db, links }, { query, user, req }) => {
  const ofQuery = searchCursors(query.q);
  const { entries: items, next } = await searchByText(db, user, query.q, pageIn(ofQuery, query));
  const view = await viewItems({ db, links }, user, items);
  return {
    status: 200,
    headers: { Link: nextPageLink(ofQuery, next, req.originalUrl), 'X-Search-Mode': 'text' },
    body: items.map((row) => presentMediaItem(view, row)),
  };
};

export const searchHandlers = { searchMediaItems } satisfies Partial<Handlers>;
