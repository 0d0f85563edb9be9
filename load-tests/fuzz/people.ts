import { randomUUID } from 'node:crypto';
import type { Tokens } from '@hearth/contract/auth.ts';
import type { MediaItemDetails } from '@hearth/contract/mediaItem.ts';
import type { User } from '@hearth/contract/users.ts';
import { basic, type Subject } from './subject.ts';

/** Somebody who uses the API as it is meant. */
export interface Person {
  readonly id: string;
  readonly username: string;
  readonly password: string;
  readonly token: string;
  upload(content: Buffer): Promise<string>;
  /** Begins a resumable upload and answers its id. */
  beginUpload(lengthBytes: number): Promise<string>;
  getItem(id: string): Promise<MediaItemDetails>;
}

/** Makes a user and signs in. */
export const createPerson = async (baseUrl: string, admin: Subject['admin']): Promise<Person> => {
  const [username, password] = [randomUUID(), 'a password'];
  // From a network of its own, since that from which the wrong credentials come is refused for a while.
  const json = { 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.7' };
  const user = await ask<User>(`${baseUrl}/v1/users`, {
    method: 'POST',
    headers: { ...json, authorization: basic(admin) },
    body: JSON.stringify({ name: 'Ada', username, password }),
  });
  const login = { method: 'POST', headers: json, body: JSON.stringify({ username, password }) };
  const { accessToken: token } = await ask<Tokens>(`${baseUrl}/v1/auth/login`, login);
  const headers = { authorization: `Bearer ${token}` };
  return {
    id: user.id,
    username,
    password,
    token,
    upload: async (content) => {
      const body = new FormData();
      body.set('file', new Blob([new Uint8Array(content)]), 'photo.jpg');
      return (await ask<{ id: string }>(`${baseUrl}/v1/mediaItems`, { method: 'POST', headers, body })).id;
    },
    beginUpload: async (lengthBytes) => {
      const tus = { 'tus-resumable': '1.0.0', 'upload-length': String(lengthBytes) };
      const response = await fetch(`${baseUrl}/v1/uploads`, { method: 'POST', headers: { ...headers, ...tus } });
      if (response.status !== 201) throw new Error(`an upload was answered ${response.status}`);
      return response.headers.get('location')!.split('/').at(-1)!;
    },
    getItem: async (id) => ask(`${baseUrl}/v1/mediaItems/${id}`, { headers }),
  };
};

const ask = async <Body>(url: string, init: RequestInit): Promise<Body> => {
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status} ${text}`);
  return JSON.parse(text) as Body;
};
