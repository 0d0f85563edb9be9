import { getTimeline as countTimeline, listItemsOfMonth } from '@hearth/core/db/timeline.ts';
import type { Handlers } from '../http/handlers.ts';
import { pageOf, presentMediaItemPage } from '../presenters/mediaItemPage.ts';

/** How much of a time names a month, and a day. */
const dateLength = { month: 'yyyy-mm'.length, day: 'yyyy-mm-dd'.length } as const;

const getTimeline: Handlers['getTimeline'] = async ({ db }, { query: { by }, user }) => {
  const counts = await countTimeline(db, user.userId, by);
  return { status: 200, body: counts.map(({ begin, count }) => ({ date: begin.slice(0, dateLength[by]), count })) };
};

const listMonthMediaItems: Handlers['listMonthMediaItems'] = async ({ db, links }, { params, query, user, req }) => {
  const page = await listItemsOfMonth(db, user.userId, params.month, pageOf(query));
  return presentMediaItemPage(links, user, page, query, req.originalUrl);
};

export const timelineHandlers = { getTimeline, listMonthMediaItems } satisfies Partial<Handlers>;
