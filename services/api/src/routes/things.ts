import { listCollectionItems } from '@hearth/core/db/collections/collections.ts';
import { listThingsOfItem } from '@hearth/core/db/explore/itemThings.ts';
import { getMediaItem } from '@hearth/core/db/items/mediaItems.ts';
import { getExplored, getExploredRow, listExplored, setExploredCover } from '@hearth/core/db/explore/explored.ts';
import type { Handlers } from '../http/handlers.ts';
import { pageOf, presentMediaItemPage } from '../presenters/mediaItemPage.ts';
import { viewCovers } from '../presenters/itemView.ts';
import { nextPageLink, pageIn } from '../presenters/listPage.ts';
import { cursors } from '../presenters/positions.ts';
import { presentThing } from '../presenters/thing.ts';

const listThings: Handlers['listThings'] = async ({ db, links }, { query, user, req }) => {
  const page = pageIn(cursors.things, query);
  const { entries: explored, next, totalCount } = await listExplored(db, 'thing', user.userId, page);
  const view = viewCovers(
    links,
    user,
    explored.map(({ cover }) => cover),
  );
  return {
    status: 200,
    headers: { 'X-Total-Count': totalCount, Link: nextPageLink(cursors.things, next, req.originalUrl) },
    body: explored.map((thing) => presentThing(view, thing, thing.cover)),
  };
};

const getThing: Handlers['getThing'] = async ({ db, links }, { params, user }) => {
  const thing = await getExplored(db, 'thing', user.userId, params.id);
  const view = viewCovers(links, user, [thing.cover]);
  return { status: 200, body: presentThing(view, thing, thing.cover) };
};

const updateThing: Handlers['updateThing'] = async ({ db }, { params, body, user }) => {
  await setExploredCover(db, 'thing', user.userId, params.id, body.coverMediaItemId);
  return { status: 204 };
};

const listThingMediaItems: Handlers['listThingMediaItems'] = async ({ db, links }, { params, query, user, req }) => {
  await getExploredRow(db, 'thing', user.userId, params.id);
  const page = await listCollectionItems(db, params.id, pageOf(query));
  return presentMediaItemPage(links, user, page, query, req.originalUrl);
};

const listMediaItemThings: Handlers['listMediaItemThings'] = async ({ db, links }, { params, query, user, req }) => {
  await getMediaItem(db, user.userId, params.id);
  const page = pageIn(cursors.thingsOfItem, query);
  const { entries: things, next } = await listThingsOfItem(db, user.userId, params.id, page);
  const view = viewCovers(
    links,
    user,
    things.map(({ cover }) => cover),
  );
  return {
    status: 200,
    headers: { Link: nextPageLink(cursors.thingsOfItem, next, req.originalUrl) },
    body: things.map(({ row, cover }) => presentThing(view, row, cover)),
  };
};

export const thingHandlers = {
  listThings,
  getThing,
  updateThing,
  listThingMediaItems,
  listMediaItemThings,
} satisfies Partial<Handlers>;
