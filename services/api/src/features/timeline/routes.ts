import { getTimeline as countTimeline, listItemsOfMonth } from './queries.ts';
import { readTimelineGrid } from './timelineGrid.ts';
import type { Handlers } from '../../http/handle.ts';
import { linkToCursor } from '../../lists/listPage.ts';
import { decodeCursor, encodeCursor, toPage, presentMediaItemPage } from '../../lists/mediaItemPage.ts';
import { presentTimelineGrid } from './presenter.ts';

const getTimeline: Handlers['getTimeline'] = async ({ db }, { query: { by }, user }) => {
  return { status: 200, body: await countTimeline(db, user.userId, by) };
};

const listMonthMediaItems: Handlers['listMonthMediaItems'] = async ({ db, links }, { params, query, user, req }) => {
  const page = await listItemsOfMonth(db, user.userId, params.month, toPage(query));
  return presentMediaItemPage(links, user, page, query, req.originalUrl);
};

const getTimelineGrid: Handlers['getTimelineGrid'] = async ({ db, thumbnailLinks }, { params, query, user, req }) => {
  const { limit, cursor } = query;
  const after = cursor === undefined ? undefined : decodeCursor(cursor);
  const grid = await readTimelineGrid(db, user.userId, params.section, { limit, after });
  const view = { links: thumbnailLinks, user, hasPlaces: user.features.places !== false };
  return {
    status: 200,
    headers: { Link: grid.next && linkToCursor(encodeCursor(grid.next), req.originalUrl) },
    body: presentTimelineGrid(view, grid),
  };
};

export const timelineHandlers = { getTimeline, listMonthMediaItems, getTimelineGrid } satisfies Partial<Handlers>;
