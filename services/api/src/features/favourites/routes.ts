import { listMediaItems } from '../../lists/mediaItemLists.ts';
import type { Handlers } from '../../http/handle.ts';
import { toPage, presentMediaItemPage } from '../../lists/mediaItemPage.ts';
import { setFlag } from '../media-items/queries.ts';

const listFavourites: Handlers['listFavourites'] = async ({ db, links }, { query, user, req }) => {
  const page = await listMediaItems(db, user.userId, { visibility: 'visible', isFavourite: true }, toPage(query));
  return presentMediaItemPage(links, user, page, query, req.originalUrl);
};

const addToFavourites: Handlers['addToFavourites'] = async ({ db }, { body, user }) => {
  await setFlag(db, user.userId, body.mediaItems, 'favourite', true);
  return { status: 204 };
};

const removeFromFavourites: Handlers['removeFromFavourites'] = async ({ db }, { body, user }) => {
  await setFlag(db, user.userId, body.mediaItems, 'favourite', false);
  return { status: 204 };
};

export const favouritesHandlers = { listFavourites, addToFavourites, removeFromFavourites } satisfies Partial<Handlers>;
