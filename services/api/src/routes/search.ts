import { searchByText } from '@hearth/core/db/search.ts';
import type { Handlers } from '../http/handlers.ts';
import { viewItems } from '../presenters/itemView.ts';
import { presentMediaItem } from '../presenters/mediaItem.ts';
import { nextPageHeader } from '../presenters/numberedPage.ts';

const searchMediaItems: Handlers['searchMediaItems'] = async ({ db, links }, { query, user, req }) => {
  const { q, page, limit } = query;
  const { items, hasMore } = await searchByText(db, user, q, { offset: (page - 1) * limit, limit });
  const view = await viewItems({ db, links }, user, items);
  return {
    status: 200,
    headers: { Link: nextPageHeader(query, hasMore, req.originalUrl), 'X-Search-Mode': 'text' },
    body: items.map((row) => presentMediaItem(view, row)),
  };
};

export const searchHandlers = { searchMediaItems } satisfies Partial<Handlers>;
