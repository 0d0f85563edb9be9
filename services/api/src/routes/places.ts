import { listCollectionItems } from '@hearth/core/db/collections/collections.ts';
import { findCovers, itemCover } from '@hearth/core/db/collections/covers.ts';
import { findItemPlace } from '@hearth/core/db/explore/itemPlaces.ts';
import { getMediaItem } from '@hearth/core/db/items/mediaItems.ts';
import { getExplored, getExploredRow, listExplored, setExploredCover } from '@hearth/core/db/explore/explored.ts';
import type { Handlers } from '../http/handlers.ts';
import { pageOf, presentMediaItemPage } from '../presenters/mediaItemPage.ts';
import { viewCovers } from '../presenters/itemView.ts';
import { nextPageLink, pageIn } from '../presenters/listPage.ts';
import { cursors } from '../presenters/positions.ts';
import { presentPlace } from '../presenters/place.ts';

const listPlaces: Handlers['listPlaces'] = async ({ db, links }, { query, user, req }) => {
  const page = pageIn(cursors.places, query);
  const { entries: explored, next, totalCount } = await listExplored(db, 'place', user.userId, page);
  const view = viewCovers(
    links,
    user,
    explored.map(({ cover }) => cover),
  );
  return {
    status: 200,
    headers: { 'X-Total-Count': totalCount, Link: nextPageLink(cursors.places, next, req.originalUrl) },
    body: explored.map((place) => presentPlace(view, place, place.cover)),
  };
};

const getPlace: Handlers['getPlace'] = async ({ db, links }, { params, user }) => {
  const place = await getExplored(db, 'place', user.userId, params.id);
  const view = viewCovers(links, user, [place.cover]);
  return { status: 200, body: presentPlace(view, place, place.cover) };
};

const updatePlace: Handlers['updatePlace'] = async ({ db }, { params, body, user }) => {
  await setExploredCover(db, 'place', user.userId, params.id, body.coverMediaItemId);
  return { status: 204 };
};

const listPlaceMediaItems: Handlers['listPlaceMediaItems'] = async ({ db, links }, { params, query, user, req }) => {
  await getExploredRow(db, 'place', user.userId, params.id);
  const page = await listCollectionItems(db, params.id, pageOf(query));
  return presentMediaItemPage(links, user, page, query, req.originalUrl);
};

const listMediaItemPlaces: Handlers['listMediaItemPlaces'] = async ({ db, links }, { params, query, user }) => {
  await getMediaItem(db, user.userId, params.id);
  const { start } = pageIn(cursors.placesOfItem, query);
  const place = await findItemPlace(db, user.userId, params.id);
  // There is one at most, and nothing follows it.
  if (place === undefined || 'after' in start || start.number > 1) return { status: 200, body: [] };
  const cover = (await findCovers(db, [place.id], itemCover)).get(place.id);
  const view = viewCovers(links, user, [cover]);
  return { status: 200, body: [presentPlace(view, place, cover, place.postcode)] };
};

export const placeHandlers = {
  listPlaces,
  getPlace,
  updatePlace,
  listPlaceMediaItems,
  listMediaItemPlaces,
} satisfies Partial<Handlers>;
