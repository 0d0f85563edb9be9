import { ApiError, readApiError } from '../../lib/api/apiError.ts';
import { getSession } from '../../lib/api/session.ts';

/**
 * Checks the credentials of the signed-in user. The API has no endpoint for this, so it signs in and out again. It sends
 * no cookies, so that the session of this tab is unaffected.
 *
 * @throws ApiError, for example `TOO_MANY_ATTEMPTS`
 */
export const checkPassword = async (username: string, password: string): Promise<boolean> => {
  const response = await fetch('/v1/auth/login', {
    method: 'POST',
    credentials: 'omit',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password }),
  }).catch((error: unknown) => {
    throw new ApiError({ status: 0, code: 'UNREACHABLE', message: 'The server cannot be reached.', cause: error });
  });
  if (response.status === 401) return false;
  if (!response.ok) throw await readApiError(response);
  const { accessToken } = (await response.json()) as { readonly accessToken: string };
  // A failure is harmless: nobody can use the session without its tokens, which are discarded here.
  await fetch('/v1/auth/logout', {
    method: 'POST',
    credentials: 'omit',
    headers: { Authorization: `Bearer ${accessToken}` },
  }).catch(() => undefined);
  const session = getSession();
  return session.kind === 'signedIn' && readUserId(accessToken) === session.userId;
};

function readUserId(token: string): string | undefined {
  const payload = atob(token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? '');
  return (JSON.parse(payload) as { readonly sub?: string }).sub;
}
