import { listMediaItems } from '../../lists/mediaItemLists.ts';
import type { Handlers } from '../../http/handle.ts';
import { toPage, presentMediaItemPage } from '../../lists/mediaItemPage.ts';
import { setTrashed } from '../../lists/trashed.ts';

const listTrash: Handlers['listTrash'] = async ({ db, links }, { query, user, req }) => {
  const page = await listMediaItems(db, user.userId, { visibility: 'trash' }, toPage(query));
  return presentMediaItemPage(links, user, page, query, req.originalUrl);
};

const addToTrash: Handlers['addToTrash'] = async ({ db }, { body, user }) => {
  await setTrashed(db, user.userId, body.mediaItems, true);
  return { status: 204 };
};

const restoreFromTrash: Handlers['restoreFromTrash'] = async ({ db }, { body, user }) => {
  await setTrashed(db, user.userId, body.mediaItems, false);
  return { status: 204 };
};

export const trashHandlers = { listTrash, addToTrash, restoreFromTrash } satisfies Partial<Handlers>;
