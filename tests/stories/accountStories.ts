import assert from 'node:assert/strict';
import type { Tokens } from '@hearth/contract/auth.ts';
import type { Features } from '@hearth/contract/features.ts';
import type { User } from '@hearth/contract/users.ts';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { makeForm, send, sendForJson, signIn, uploadOnce } from '@hearth/testkit/hearth/request.ts';
import { waitFor } from '@hearth/testkit/hearth/wait.ts';
import { expectError, expectStatus } from './expectResponse.ts';
import { timeoutMs } from './storyUser.ts';
import type { Story } from './story.ts';

/** Failed attempts per account and minute before the next one must wait, regardless of who makes it. */
const attemptsBeforeWaiting = 5;

const login = '/v1/auth/login';

/** Stories about accounts, sessions, and their end. */
export const accountStories: readonly Story[] = [
  {
    name: 'the administrator creates an account, and its owner signs in',
    play: async ({ url, admin, createUser }) => {
      const person = await createUser({ features: { sharing: false } });
      const user = await sendForJson<User>(url, `/v1/users/${person.id}`, { basic: admin });
      assert.equal(user.username, person.username);
      assert.equal(user.usedBytes, 0);
      assert.equal((await person.requestJson<Features>('/v1/features')).sharing, false);
      await expectStatus(person.request('/v1/users'), 401, 'the list of accounts for an ordinary user');
      const { username } = person;
      const body = { username, password: 'another-one' };
      await expectError(send(url, login, { method: 'POST', body }), 401, 'UNAUTHORIZED', 'a wrong password');
    },
  },
  {
    name: 'a refresh token renews a session once, until the user signs out',
    play: async ({ url, createUser }) => {
      const { username, password } = await createUser();
      const first = await sendForJson<Tokens>(url, login, { method: 'POST', body: { username, password } });
      const next = await sendForJson<Tokens>(url, '/v1/auth/refresh', { method: 'POST', token: first.refreshToken });
      assert.notEqual(next.refreshToken, first.refreshToken);
      await expectStatus(send(url, '/v1/features', { token: next.accessToken }), 200, 'the new token');
      const signOut = { method: 'POST', token: next.accessToken };
      await expectStatus(send(url, '/v1/auth/logout', signOut), 204, 'signing out');
      await expectStatus(send(url, '/v1/features', { token: next.accessToken }), 401, 'the token of an ended session');
      const body = { refreshToken: next.refreshToken };
      await expectStatus(send(url, '/v1/auth/refresh', { method: 'POST', body }), 401, 'its refresh token');
    },
  },
  {
    name: 'a password change ends every other session, and this one continues with new tokens',
    play: async ({ url, createUser }) => {
      const user = await createUser();
      const elsewhere = await signIn(url, user);
      const newPassword = 'a-password-that-is-new';
      const body = { currentPassword: user.password, newPassword };
      const { accessToken } = await user.requestJson<Tokens>('/v1/auth/password', { method: 'PUT', body });
      await expectStatus(send(url, '/v1/features', { token: elsewhere }), 401, 'another session');
      await expectStatus(user.request('/v1/features'), 401, 'the earlier token of this session');
      await expectStatus(send(url, '/v1/features', { token: accessToken }), 200, 'the new token');
      await signIn(url, { username: user.username, password: newPassword });
    },
  },
  {
    name: 'an account accepts no photo above its quota until the administrator raises it',
    play: async ({ url, admin, createUser }) => {
      const user = await createUser({ quotaBytes: 10 });
      const photo = Buffer.from(await makeTestPhoto({ seed: 11 }));
      const upload = () => uploadOnce(url, user.token, makeForm('large.jpg', photo));
      await expectError(upload(), 507, 'QUOTA_EXCEEDED', 'a photo above the quota');
      const body = { quotaBytes: null };
      await expectStatus(
        send(url, `/v1/users/${user.id}`, { method: 'PUT', basic: admin, body }),
        204,
        'raising the quota',
      );
      await expectStatus(upload(), 201, 'a photo within the quota');
      assert.equal((await sendForJson<User>(url, `/v1/users/${user.id}`, { basic: admin })).usedBytes, photo.length);
    },
  },
  {
    name: 'after several wrong passwords even the right one is refused for a while',
    play: async ({ url, createUser }) => {
      const { username, password } = await createUser();
      const attempt = (guess: string) => send(url, login, { method: 'POST', body: { username, password: guess } });
      for (let n = 0; n < attemptsBeforeWaiting; n++) await expectStatus(attempt(`guess-${n}`), 401, 'a guess');
      const response = await expectError(attempt(password), 429, 'TOO_MANY_ATTEMPTS', 'one more attempt');
      assert.ok(Number(response.headers.get('retry-after')) > 0, 'Retry-After is missing');
    },
  },
  {
    name: 'deleting an account deletes all of its data',
    play: async ({ url, admin, createUser }) => {
      const user = await createUser();
      const id = await user.upload({ filename: 'gone.jpg', bytes: Buffer.from(await makeTestPhoto({ seed: 12 })) });
      const { thumbnailUrl } = await user.waitUntilReady(id);
      const path = `/v1/users/${user.id}`;
      await expectStatus(send(url, path, { method: 'DELETE', basic: admin }), 204, 'deleting an account');
      await expectStatus(user.request('/v1/mediaItems'), 401, 'the token of a deleted account');
      const { username, password } = user;
      await expectStatus(send(url, login, { method: 'POST', body: { username, password } }), 401, 'signing in to it');
      const isGone = async (): Promise<boolean> => (await user.open(thumbnailUrl)).status === 404;
      await waitFor('the thumbnail of a deleted account is gone', isGone, { timeoutMs });
      const isForgotten = async (): Promise<boolean> => (await send(url, path, { basic: admin })).status === 404;
      await waitFor('the account is gone', isForgotten, { timeoutMs });
    },
  },
];
