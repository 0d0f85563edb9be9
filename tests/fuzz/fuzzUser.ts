import { randomUUID } from 'node:crypto';
import type { MediaItemDetails } from '@hearth/contract/mediaItem.ts';
import { createUser, formOf, send, sendForJson, signIn, type Credentials } from '@hearth/testkit/hearth/request.ts';

/** A user who sends only valid requests. */
export interface FuzzUser extends Credentials {
  readonly id: string;
  readonly token: string;
  upload(content: Buffer): Promise<string>;
  /** Creates a resource by `POST` and answers its id. */
  create(path: string, body: object): Promise<string>;
  createAlbum(body: object): Promise<{ readonly id: string; readonly shareId: string }>;
  /** Begins a resumable upload and answers its id. */
  beginUpload(lengthBytes: number): Promise<string>;
  getItem(id: string): Promise<MediaItemDetails>;
}

/** Creates a user and signs in. */
export const createFuzzUser = async (url: string, admin: Credentials): Promise<FuzzUser> => {
  // Another address than that of the cases: the API refuses an address for a while that sends many wrong credentials.
  const headers = { 'X-Forwarded-For': '198.51.100.7' };
  const user = await createUser(url, admin, randomUUID(), headers);
  const token = await signIn(url, user, headers);
  return {
    ...user,
    token,
    upload: async (content) => {
      const body = formOf('photo.jpg', new Uint8Array(content));
      return (await sendForJson<{ id: string }>(url, '/v1/mediaItems', { method: 'POST', token, body })).id;
    },
    create: async (path, body) => (await sendForJson<{ id: string }>(url, path, { method: 'POST', token, body })).id,
    createAlbum: (body) => sendForJson(url, '/v1/albums', { method: 'POST', token, body }),
    beginUpload: async (lengthBytes) => {
      const tus = { 'Tus-Resumable': '1.0.0', 'Upload-Length': String(lengthBytes) };
      const { status, headers } = await send(url, '/v1/uploads', { method: 'POST', token, headers: tus });
      if (status !== 201) throw new Error(`an upload was answered ${status}`);
      return headers.get('location')!.split('/').at(-1)!;
    },
    getItem: (id) => sendForJson(url, `/v1/mediaItems/${id}`, { token }),
  };
};
