import { listYearsAgo as listItems } from './queries.ts';
import type { Handlers } from '../../http/handle.ts';
import { toPage, presentMediaItemPage } from '../../lists/mediaItemPage.ts';

const listYearsAgo: Handlers['listYearsAgo'] = async ({ db, links }, { params, query, user, req }) => {
  const page = await listItems(db, user.userId, params.monthDate, new Date(), toPage(query));
  return presentMediaItemPage(links, user, page, query, req.originalUrl);
};

export const yearsAgoHandlers = { listYearsAgo } satisfies Partial<Handlers>;
