import { listMediaItems } from '../../lists/mediaItemLists.ts';
import type { Handlers } from '../../http/handle.ts';
import { toPage, presentMediaItemPage } from '../../lists/mediaItemPage.ts';
import { setFlag } from '../media-items/queries.ts';

const listHidden: Handlers['listHidden'] = async ({ db, links }, { query, user, req }) => {
  const page = await listMediaItems(db, user.userId, { visibility: 'hidden' }, toPage(query));
  return presentMediaItemPage(links, user, page, query, req.originalUrl);
};

const addToHidden: Handlers['addToHidden'] = async ({ db }, { body, user }) => {
  await setFlag(db, user.userId, body.mediaItems, 'hidden', true);
  return { status: 204 };
};

const removeFromHidden: Handlers['removeFromHidden'] = async ({ db }, { body, user }) => {
  await setFlag(db, user.userId, body.mediaItems, 'hidden', false);
  return { status: 204 };
};

export const hiddenHandlers = { listHidden, addToHidden, removeFromHidden } satisfies Partial<Handlers>;
