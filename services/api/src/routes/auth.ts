import { deleteSession } from '@hearth/core/db/accounts/sessions.ts';
import { changePassword as change } from '../actions/changePassword.ts';
import { logIn } from '../actions/logIn.ts';
import { refreshTokens } from '../actions/refreshTokens.ts';
import { bearerTokenOf } from '../http/authenticate.ts';
import { addressOf, networkOf } from '../http/clientAddress.ts';
import { clientOf } from '../http/clientDevice.ts';
import type { Handlers } from '../http/handlers.ts';
import { presentFeatures } from '../presenters/user.ts';

const login: Handlers['login'] = async (deps, { body, req, requestId }) => ({
  status: 200,
  body: await logIn(deps, { ...body, requestId, ...clientOf(req) }),
});

// The body before the header: a client may send its access token, expired or not, with every request.
const refresh: Handlers['refresh'] = async (deps, { body, req, requestId }) => ({
  status: 200,
  body: await refreshTokens(deps, body.refreshToken ?? bearerTokenOf(req), {
    requestId,
    ...clientOf(req),
  }),
});

const logout: Handlers['logout'] = async ({ db }, { user }) => {
  await deleteSession(db, user.sessionId);
  return { status: 204 };
};

const changePassword: Handlers['changePassword'] = async (deps, { body, user, req, requestId }) => {
  await change(deps, user, { ...body, requestId, network: networkOf(req), address: addressOf(req) });
  return { status: 204 };
};

const getFeatures: Handlers['getFeatures'] = async (_deps, { user }) => ({
  status: 200,
  body: presentFeatures(user.features),
});

export const authHandlers = { login, refresh, logout, changePassword, getFeatures } satisfies Partial<Handlers>;
