import { checkCollection, listCollectionItems } from '../../lists/collections.ts';
import { getMediaItem } from '@hearth/core/items/mediaItems.ts';
import { mergePeople as mergeRows } from './mergePeople.ts';
import { rejectFaces } from './rejectFaces.ts';
import { returnFaces } from './returnFaces.ts';
import { separatePeople as separateRows } from './separatePeople.ts';
import {
  getPerson as getRow,
  listPeople as listRows,
  listPeopleOfItem,
  updatePerson as updateRow,
  type PersonPosition,
} from './queries.ts';
import type { Handlers } from '../../http/handle.ts';
import { toPage, presentMediaItemPage } from '../../lists/mediaItemPage.ts';
import { nextPageLink, pageIn, createCursors } from '../../lists/listPage.ts';
import { cursors, ByName, Id, WallClock } from '../../lists/positions.ts';
import { z } from 'zod';
import type { Person } from '@hearth/contract/people.ts';
import type { FaceRow, PersonRow } from '@hearth/core/db/schema.ts';
import type { UserLinks } from '../../links/links.ts';

const listPeople: Handlers['listPeople'] = async ({ db, links }, { query, user, req }) => {
  const page = pageIn(peopleCursors, query);
  const { entries: people, next, totalCount } = await listRows(db, user.userId, query.hidden, page);
  return {
    status: 200,
    headers: { 'X-Total-Count': totalCount, Link: nextPageLink(peopleCursors, next, req.originalUrl) },
    body: people.map((person) => presentPerson(links.forUser(user), person, person.cover)),
  };
};

const getPerson: Handlers['getPerson'] = async ({ db, links }, { params, user }) => {
  const person = await getRow(db, user.userId, params.id);
  return { status: 200, body: presentPerson(links.forUser(user), person, person.cover) };
};

const updatePerson: Handlers['updatePerson'] = async ({ db }, { params, body, user }) => {
  await updateRow(db, user.userId, params.id, body);
  return { status: 204 };
};

const mergePeople: Handlers['mergePeople'] = async ({ db }, { params, body, user }) => {
  await mergeRows(db, user.userId, params.id, body.people);
  return { status: 204 };
};

const separatePeople: Handlers['separatePeople'] = async ({ db }, { params, body, user }) => {
  await separateRows(db, user.userId, params.id, body.people);
  return { status: 204 };
};

const removeFromPerson: Handlers['removeFromPerson'] = async ({ db }, { params, body, user }) => {
  await rejectFaces(db, user.userId, params.id, body.mediaItems);
  return { status: 204 };
};

const returnToPerson: Handlers['returnToPerson'] = async ({ db }, { params, body, user }) => {
  await returnFaces(db, user.userId, params.id, body.mediaItems);
  return { status: 204 };
};

const listPersonMediaItems: Handlers['listPersonMediaItems'] = async ({ db, links }, { params, query, user, req }) => {
  await checkCollection(db, user.userId, 'person', params.id);
  const page = await listCollectionItems(db, params.id, toPage(query));
  return presentMediaItemPage(links, user, page, query, req.originalUrl);
};

const listMediaItemPeople: Handlers['listMediaItemPeople'] = async ({ db, links }, { params, query, user, req }) => {
  await getMediaItem(db, user.userId, params.id);
  const page = pageIn(cursors.peopleOfItem, query);
  const { entries: people, next } = await listPeopleOfItem(db, user.userId, params.id, page);
  return {
    status: 200,
    headers: { Link: nextPageLink(cursors.peopleOfItem, next, req.originalUrl) },
    body: people.map(({ row, cover }) => presentPerson(links.forUser(user), row, cover)),
  };
};

export const peopleHandlers = {
  listPeople,
  getPerson,
  updatePerson,
  mergePeople,
  separatePeople,
  removeFromPerson,
  returnToPerson,
  listPersonMediaItems,
  listMediaItemPeople,
} satisfies Partial<Handlers>;

const peopleCursors = createCursors<PersonPosition>(
  'people',
  z.union([ByName, z.strictObject({ itemCount: z.int().min(0), time: WallClock, id: Id })]),
);

/** Converts a person to its API form. */
const presentPerson = (
  links: UserLinks,
  { id, name, is_hidden, created_at, updated_at }: PersonRow,
  cover: FaceRow | undefined,
): Person => ({
  id,
  ...(name !== null && { name }),
  hidden: is_hidden,
  ...(cover !== undefined && {
    coverMediaItemId: cover.media_item_id,
    coverMediaItemFaceId: cover.id,
    coverMediaItemFace: { thumbnail: links.sign({ key: cover.thumbnail_key, type: 'image/webp' }) },
  }),
  createdAt: created_at.toISOString(),
  updatedAt: updated_at.toISOString(),
});
