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
    refreshToken: z.string().meta({ description: 'For new tokens; works for 30 days, once.' }),
  })
  .meta({ id: 'Tokens', description: 'A session’s two tokens.' });
export type Tokens = z.infer<typeof Tokens>;

export const login = defineRoute({
  operationId: 'login',
  method: 'post',
  path: '/v1/auth/login',
  summary: 'Sign in',
  tag: 'auth',
  auth: 'none',
  body: LoginRequest,
  responses: { 200: { description: 'Signed in.', schema: Tokens } },
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
