import { randomUUID } from 'node:crypto';
import type { Tokens } from '@hearth/contract/auth.ts';
import type { MediaItemDetails } from '@hearth/contract/mediaItem.ts';
import type { User } from '@hearth/contract/users.ts';
import { formOf, send, sendForJson, type Credentials } from '../harness/request.ts';

/** Somebody who uses the API as it is meant. */
export interface Person {
  readonly id: string;
  readonly username: string;
  readonly password: string;
  readonly token: string;
  upload(content: Buffer): Promise<string>;
  /** Creates a resource by `POST` and answers its id. */
  create(path: string, body: object): Promise<string>;
  /** Begins a resumable upload and answers its id. */
  beginUpload(lengthBytes: number): Promise<string>;
  getItem(id: string): Promise<MediaItemDetails>;
}

/** Makes a user and signs in. */
export const createPerson = async (url: string, admin: Credentials): Promise<Person> => {
  const [username, password] = [randomUUID(), 'a password'];
  // From a network of its own, since that from which the wrong credentials come is refused for a while.
  const headers = { 'X-Forwarded-For': '198.51.100.7' };
  const created = { method: 'POST', basic: admin, headers, body: { name: 'Ada', username, password } };
  const { id } = await sendForJson<User>(url, '/v1/users', created);
  const login = { method: 'POST', headers, body: { username, password } };
  const { accessToken: token } = await sendForJson<Tokens>(url, '/v1/auth/login', login);
  return {
    id,
    username,
    password,
    token,
    upload: async (content) => {
      const body = formOf('photo.jpg', new Uint8Array(content));
      return (await sendForJson<{ id: string }>(url, '/v1/mediaItems', { method: 'POST', token, body })).id;
    },
    create: async (path, body) => (await sendForJson<{ id: string }>(url, path, { method: 'POST', token, body })).id,
    beginUpload: async (lengthBytes) => {
      const tus = { 'Tus-Resumable': '1.0.0', 'Upload-Length': String(lengthBytes) };
      const { status, headers } = await send(url, '/v1/uploads', { method: 'POST', token, headers: tus });
      if (status !== 201) throw new Error(`an upload was answered ${status}`);
      return headers.get('location')!.split('/').at(-1)!;
    },
    getItem: (id) => sendForJson(url, `/v1/mediaItems/${id}`, { token }),
  };
};
