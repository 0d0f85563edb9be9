import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { bodyErrors, serverErrors } from './errors.ts';
import { maxPasswordLength } from './limits.ts';
import { password } from './scalars.ts';
import { Username } from './users.ts';

/** Who signs in. A password that is too short to have been set is a wrong one (401), not an invalid one (400). */
export const LoginRequest = z
  .strictObject({
    username: Username,
    password: password(1, maxPasswordLength),
  })
  .meta({ id: 'LoginRequest', description: 'Who signs in.' });
export type LoginRequest = z.infer<typeof LoginRequest>;

/** A session’s two tokens. */
export const Tokens = z
  .object({
    accessToken: z.string().meta({ description: 'For every call, as bearer token; works for 15 minutes.' }),
    refreshToken: z.string().meta({ description: 'For new tokens, once; works for 30 days.' }),
  })
  .meta({ id: 'Tokens', description: 'A session’s two tokens.' });
export type Tokens = z.infer<typeof Tokens>;

/** By what a session goes on, where it is not the bearer token. */
export const RefreshRequest = z
  .strictObject({ refreshToken: z.string().optional() })
  .meta({ id: 'RefreshRequest', description: 'The refresh token, where it is not sent as bearer token.' });
export type RefreshRequest = z.infer<typeof RefreshRequest>;

export const login = defineRoute({
  operationId: 'login',
  method: 'post',
  path: '/v1/auth/login',
  summary: 'Sign in',
  description:
    'After five failures within 60 seconds for one account, or twenty for one address, the next attempt is 429, right ' +
    'password or not.',
  tag: 'auth',
  auth: 'none',
  body: LoginRequest,
  responses: { 200: { description: 'Signed in.', schema: Tokens } },
  errors: [...bodyErrors, 'UNAUTHORIZED', 'TOO_MANY_ATTEMPTS', ...serverErrors],
});

export const refresh = defineRoute({
  operationId: 'refresh',
  method: 'post',
  path: '/v1/auth/refresh',
  summary: 'Get new tokens',
  description:
    'Takes the refresh token, as bearer token or in the body, and answers its successor, which works for another 30 days. ' +
    'The previous one works for 10 seconds more and is answered the same successor; if it is used later, or an older one ' +
    'at any time, the session ends.',
  tag: 'auth',
  auth: 'none',
  body: RefreshRequest,
  responses: { 200: { description: 'The session goes on with these.', schema: Tokens } },
  errors: [...bodyErrors, 'UNAUTHORIZED', ...serverErrors],
});

export const logout = defineRoute({
  operationId: 'logout',
  method: 'post',
  path: '/v1/auth/logout',
  summary: 'Sign out',
  description: 'Ends the session: its tokens are refused from now on.',
  tag: 'auth',
  auth: 'bearer',
  responses: { 204: { description: 'Signed out.' } },
  errors: ['UNAUTHORIZED', ...serverErrors],
});
