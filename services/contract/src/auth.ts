import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { bodyErrors, serverErrors } from './errors.ts';
import { maxPasswordLength, minPasswordLength } from './limits.ts';
import { password, text } from './scalars.ts';
import { Username } from './users.ts';

/** A password that is too short counts as a wrong password (401), not as an invalid request (400). */
export const LoginRequest = z
  .strictObject({
    username: Username,
    password: password(1, maxPasswordLength),
  })
  .meta({ id: 'LoginRequest', description: 'Credentials of a user.' });
export type LoginRequest = z.infer<typeof LoginRequest>;

export const Tokens = z
  .object({
    accessToken: z.string().meta({ description: 'Bearer token for all calls, valid for 15 minutes.' }),
    refreshToken: z.string().optional().meta({
      description: 'Exchange it once for new tokens; valid for 30 days. Omitted if it is in a cookie.',
    }),
  })
  .meta({ id: 'Tokens', description: 'The tokens of a session.' });
export type Tokens = z.infer<typeof Tokens>;

export const RefreshRequest = z
  .strictObject({ refreshToken: z.string().optional() })
  .meta({ id: 'RefreshRequest', description: 'The refresh token, unless it is the bearer token.' });
export type RefreshRequest = z.infer<typeof RefreshRequest>;

/** Makes the server send the refresh token as a cookie, and read it from there. */
export const SessionHeaders = z.object({
  'X-Hearth-Session': z
    .literal('cookie')
    .optional()
    .meta({
      description:
        'For web pages: returns the refresh token in the cookie `hearth_session` (`HttpOnly`, `SameSite=Strict`, for `/v1/auth` only, `Secure` with ' +
        'TLS) instead of in the body, and reads it from there. Without this header, which no form can send, cookies are ignored.',
    }),
});

export const login = defineRoute({
  operationId: 'login',
  method: 'post',
  path: '/v1/auth/login',
  summary: 'Sign in',
  description:
    'Failed sign-ins are limited. After five within 60 seconds for one account from one network, or twenty from one network, that network gets ' +
    '429, even with the right password. After fifty within an hour for one account, all networks that have not recently signed in to the ' +
    'account share one attempt every 30 seconds.',
  tag: 'auth',
  auth: 'none',
  requestHeaders: SessionHeaders,
  body: LoginRequest,
  example: { body: { username: '$USERNAME', password: '$PASSWORD' } },
  responses: { 200: { description: 'Signed in.', schema: Tokens, headers: ['Set-Cookie', 'Clear-Site-Data'] } },
  errors: [...bodyErrors, 'UNAUTHORIZED', 'TOO_MANY_ATTEMPTS', ...serverErrors],
});

export const OneTimeLogin = z
  .strictObject({ code: text(1, 100) })
  .meta({ id: 'OneTimeLogin', description: 'The code in the link that `npm start` prints before the first sign-in.' });
export type OneTimeLogin = z.infer<typeof OneTimeLogin>;

export const logInOnce = defineRoute({
  operationId: 'logInOnce',
  method: 'post',
  path: '/v1/auth/one-time',
  summary: 'Sign in for the first time',
  description:
    'Signs in with the code in the link that `npm start` prints before the first sign-in. The code works once, for 24 hours, until the next start, or until ' +
    'someone signs in with a password. Any other code is 401 and counts as a failed sign-in from that network.',
  tag: 'auth',
  auth: 'none',
  requestHeaders: SessionHeaders,
  body: OneTimeLogin,
  example: { body: { code: '$CODE' } },
  responses: { 200: { description: 'Signed in.', schema: Tokens, headers: ['Set-Cookie', 'Clear-Site-Data'] } },
  errors: [...bodyErrors, 'UNAUTHORIZED', 'TOO_MANY_ATTEMPTS', ...serverErrors],
});

export const refresh = defineRoute({
  operationId: 'refresh',
  method: 'post',
  path: '/v1/auth/refresh',
  summary: 'Get new tokens',
  description:
    'Takes the refresh token, as bearer token or in the body, and returns its successor, which is valid for another 30 days. With ' +
    '`X-Hearth-Session`, both are in the cookie only. The previous token works for 10 more seconds and returns the same successor. Using it ' +
    'later, or an older one at any time, ends the session.',
  tag: 'auth',
  auth: 'none',
  requestHeaders: SessionHeaders,
  body: RefreshRequest,
  example: { body: { refreshToken: '$REFRESH_TOKEN' } },
  responses: { 200: { description: 'The new tokens of the session.', schema: Tokens, headers: ['Set-Cookie'] } },
  errors: [...bodyErrors, 'UNAUTHORIZED', ...serverErrors],
});

export const logout = defineRoute({
  operationId: 'logout',
  method: 'post',
  path: '/v1/auth/logout',
  summary: 'Sign out',
  description:
    'Ends the session: its tokens are rejected from now on. With `X-Hearth-Session`, it ends the session of the cookie and deletes the cookie. ' +
    'It then needs no access token; if you send one, the session of that token ends too. Browsers clear their cache of pictures.',
  tag: 'auth',
  auth: 'session',
  requestHeaders: SessionHeaders,
  responses: { 204: { description: 'Signed out.', headers: ['Set-Cookie', 'Clear-Site-Data'] } },
  errors: ['UNAUTHORIZED', ...serverErrors],
});

export const PasswordChange = z
  .strictObject({
    currentPassword: password(1, maxPasswordLength),
    newPassword: password(minPasswordLength, maxPasswordLength),
  })
  .meta({ id: 'PasswordChange', description: 'The current password and the new one.' });
export type PasswordChange = z.infer<typeof PasswordChange>;

export const changePassword = defineRoute({
  operationId: 'changePassword',
  method: 'put',
  path: '/v1/auth/password',
  summary: 'Change your password',
  description:
    'Ends all other sessions and all signed file links. This session continues with the tokens of the response; its earlier tokens are rejected. A ' +
    'wrong current password is 400 and counts as a failed sign-in.',
  tag: 'auth',
  auth: 'bearer',
  body: PasswordChange,
  example: { body: { currentPassword: '$PASSWORD', newPassword: 'four words are enough' } },
  responses: { 200: { description: 'Changed.', schema: Tokens } },
  errors: [...bodyErrors, 'UNAUTHORIZED', 'TOO_MANY_ATTEMPTS', ...serverErrors],
});
