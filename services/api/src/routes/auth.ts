import { deleteSession } from '@hearth/core/db/sessions.ts';
import { logIn } from '../actions/logIn.ts';
import type { Handlers } from '../http/handlers.ts';
import { presentFeatures } from '../presenters/user.ts';

const login: Handlers['login'] = async (deps, { body }) => ({
  status: 200,
  body: await logIn(deps, body.username, body.password),
});

const logout: Handlers['logout'] = async ({ db }, { user }) => {
  await deleteSession(db, user.sessionId);
  return { status: 204 };
};

const getFeatures: Handlers['getFeatures'] = async (_deps, { user }) => ({
  status: 200,
  body: presentFeatures(user.features),
});

export const authHandlers = { login, logout, getFeatures } satisfies Partial<Handlers>;
