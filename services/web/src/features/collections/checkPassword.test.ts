// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { signIn } from '../../lib/api/session.ts';
import { checkPassword } from './checkPassword.ts';

const makeToken = (userId: string): string =>
  ['', btoa(JSON.stringify({ sub: userId, exp: 4_000_000_000 })), ''].join('.');
const passwords = new Map([
  ['correct horse battery', 'family'],
  ['another password', 'neighbour'],
]);
const requests: { readonly address: string; readonly init: RequestInit }[] = [];

beforeEach(async () => {
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
    requests.push({ address, init });
    if (address === '/v1/auth/logout') return Promise.resolve(new Response(null, { status: 204 }));
    const { password } = JSON.parse(init.body as string) as { readonly password: string };
    const userId = passwords.get(password);
    if (userId !== undefined) return Promise.resolve(Response.json({ accessToken: makeToken(userId) }));
    const isRateLimited = password === 'once more';
    const body = { code: isRateLimited ? 'TOO_MANY_ATTEMPTS' : 'UNAUTHORIZED', message: '' };
    return Promise.resolve(
      Response.json(body, { status: isRateLimited ? 429 : 401, headers: { 'Retry-After': '30' } }),
    );
  });
  await signIn('family', 'correct horse battery');
  requests.length = 0;
});

afterEach(() => vi.unstubAllGlobals());

it("accepts the user's password and ends the temporary session at once, without cookies", async () => {
  await expect(checkPassword('family', 'correct horse battery')).resolves.toBe(true);
  expect(requests.map(({ address }) => address)).toEqual(['/v1/auth/login', '/v1/auth/logout']);
  for (const { init } of requests) {
    expect(init.credentials).toBe('omit');
    expect(new Headers(init.headers).has('X-Hearth-Session')).toBe(false);
  }
  expect(new Headers(requests[1]?.init.headers).get('Authorization')).toBe(`Bearer ${makeToken('family')}`);
});

it('rejects the correct password of another user and ends the temporary session', async () => {
  await expect(checkPassword('neighbour', 'another password')).resolves.toBe(false);
  expect(requests.at(-1)?.address).toBe('/v1/auth/logout');
});

it('rejects a wrong password', async () => {
  await expect(checkPassword('family', 'wrong horse')).resolves.toBe(false);
});

it('reports the wait after too many attempts', async () => {
  await expect(checkPassword('family', 'once more')).rejects.toMatchObject({ retryAfterSeconds: 30 });
});
