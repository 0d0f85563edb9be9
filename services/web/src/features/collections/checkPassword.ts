import { ApiError, readApiError } from '../../lib/api/apiError.ts';
import { getSession } from '../../lib/api/session.ts';

/**
 * Answers whether these are user name and password of the person who is signed in. The API has no question for that: a second session is opened
 * without a cookie, so that the one of this tab is not touched, and ended at once.
 *
 * @throws ApiError `TOO_MANY_ATTEMPTS` and what every call may answer.
 */
export const checkPassword = async (username: string, password: string): Promise<boolean> => {
  const answer = await fetch('/v1/auth/login', {
    method: 'POST',
    credentials: 'omit',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password }),
  }).catch((error: unknown) => {
    throw new ApiError({ status: 0, code: 'UNREACHABLE', message: 'The server cannot be reached.', cause: error });
  });
  if (answer.status === 401) return false;
  if (!answer.ok) throw await readApiError(answer);
  const { accessToken } = (await answer.json()) as { readonly accessToken: string };
  // Should this fail, the session has no holder: both tokens are forgotten here.
  await fetch('/v1/auth/logout', {
    method: 'POST',
    credentials: 'omit',
    headers: { Authorization: `Bearer ${accessToken}` },
  }).catch(() => undefined);
  const session = getSession();
  return session.kind === 'signedIn' && userIdOf(accessToken) === session.userId;
};

function userIdOf(token: string): string | undefined {
  const payload = atob(token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? '');
  return (JSON.parse(payload) as { readonly sub?: string }).sub;
}
