import { getTimeline as countTimeline, listItemsOfMonth } from '@hearth/core/db/lists/timeline.ts';
import type { Handlers } from '../http/handlers.ts';
import { pageOf, presentMediaItemPage } from '../presenters/mediaItemPage.ts';

const getTimeline: Handlers['getTimeline'] = async ({ db }, { query: { by }, user }) => {
  return { status: 200, body: await countTimeline(db, user.userId, by) };
};

const listMonthMediaItems: Handlers['listMonthMediaItems'] = async ({ db, links }, { params, query, user, req }) => {
  const page = await listItemsOfMonth(db, user.userId, params.month, pageOf(query));
  return presentMediaItemPage(links, user, page, query, req.originalUrl);
};

export const timelineHandlers = { getTimeline, listMonthMediaItems } satisfies Partial<Handlers>;
