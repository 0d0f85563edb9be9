import { transaction } from '@hearth/core/db/database.ts';
import {
  getUser as getRow,
  insertUser,
  listUsers as listRows,
  markUserForRemoval,
  updateUser as updateRow,
} from '../../accounts/users.ts';
import type { Handlers } from '../../http/handle.ts';
import { hashNewPassword } from '../../accounts/passwords.ts';
import { nextPageLink, pageIn } from '../../lists/listPage.ts';
import { cursors } from '../../lists/positions.ts';
import { presentUser } from '../../accounts/presentUser.ts';

const listUsers: Handlers['listUsers'] = async ({ db }, { query, req }) => {
  const { entries, next } = await listRows(db, pageIn(cursors.users, query));
  return {
    status: 200,
    headers: { Link: nextPageLink(cursors.users, next, req.originalUrl) },
    body: entries.map(presentUser),
  };
};

const createUser: Handlers['createUser'] = async ({ db }, { body: { password, features = {}, ...names } }) => {
  const row = await insertUser(db, { ...names, features, passwordHash: await hashNewPassword(password) });
  return { status: 201, headers: { Location: `/v1/users/${row.id}` }, body: presentUser(row) };
};

const getUser: Handlers['getUser'] = async ({ db }, { params }) => ({
  status: 200,
  body: presentUser(await getRow(db, params.id)),
});

const updateUser: Handlers['updateUser'] = async ({ db }, { params, body: { password, ...changes } }) => {
  const passwordHash = password === undefined ? undefined : await hashNewPassword(password);
  await transaction(db, (trx) => updateRow(trx, params.id, { ...changes, passwordHash }));
  return { status: 204 };
};

const deleteUser: Handlers['deleteUser'] = async ({ db }, { params }) => {
  await transaction(db, (trx) => markUserForRemoval(trx, params.id));
  return { status: 204 };
};

export const userHandlers = { listUsers, createUser, getUser, updateUser, deleteUser } satisfies Partial<Handlers>;
