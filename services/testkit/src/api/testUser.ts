import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { makeTestPhoto } from '../pictures/testPhoto.ts';
import { createClient, type Client } from './client.ts';
import { multipart, type Part } from './multipart.ts';

/** A signed-in user. */
export interface TestUser {
  readonly id: string;
  readonly username: string;
  readonly password: string;
  readonly token: string;
  /** Calls as this user. */
  readonly call: Client;
  /** Uploads a small new photo, and returns the id of its item. */
  uploadPhoto(options?: { readonly creationTime?: string; readonly filename?: string }): Promise<string>;
}

/** Creates a user as the administrator, and signs in. */
export const signUp = async (url: string, callAsAdmin: Client, username: string = randomUUID()): Promise<TestUser> => {
  const password = `password of ${username}`;
  const created = await callAsAdmin('createUser', { body: { name: username, username, password } });
  const login = await createClient(url)('login', { body: { username, password } });
  const token = login.body.accessToken;
  const call = createClient(url, `Bearer ${token}`);
  return {
    id: created.body.id,
    username,
    password,
    token,
    call,
    uploadPhoto: async ({ creationTime, filename = 'photo.jpg' } = {}) => {
      const parts: Part[] = [{ name: 'file', filename, content: await makeNextPhoto() }];
      if (creationTime !== undefined) parts.unshift({ name: 'creationTime', content: creationTime });
      const response = await call('uploadMediaItem', multipart(parts));
      assert.equal(response.status, 201);
      return response.body.id;
    },
  };
};

let seed = 0;

/** Makes a small JPEG that is unique in this process. */
export const makeNextPhoto = async (): Promise<Buffer> => {
  seed += 1;
  return makeTestPhoto({ seed, width: 96, height: 72, takenAt: `2020:01:01 ${toClockTime(seed)}` });
};

const toClockTime = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(11, 19);
