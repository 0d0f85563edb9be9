import { randomUUID } from 'node:crypto';
import type { MediaItemDetails } from '@hearth/contract/mediaItem.ts';
import { createUser, makeForm, sendForJson, signIn, type Credentials } from '@hearth/testkit/hearth/request.ts';
import type { FuzzedInstallation } from './installation.ts';

/** A user who sends only valid requests. */
export interface FuzzUser extends Credentials {
  readonly id: string;
  readonly token: string;
  /** Uploads a photo and returns the id of its media item. */
  upload(content: Buffer): Promise<string>;
  createAlbum(body: object): Promise<{ readonly id: string; readonly shareId: string }>;
  getItem(id: string): Promise<MediaItemDetails>;
}

/** Creates a user and signs in. */
export const createFuzzUser = async ({ url, admin }: Pick<FuzzedInstallation, 'url' | 'admin'>): Promise<FuzzUser> => {
  // After many wrong credentials the API refuses sign-ins from an address for a while. The cases use another one.
  const headers = { 'X-Forwarded-For': '198.51.100.7' };
  const user = await createUser(url, admin, randomUUID(), headers);
  const token = await signIn(url, user, headers);
  return {
    ...user,
    token,
    upload: async (content) => {
      const body = makeForm('photo.jpg', new Uint8Array(content));
      return (await sendForJson<{ id: string }>(url, '/v1/mediaItems', { method: 'POST', token, body })).id;
    },
    createAlbum: (body) => sendForJson(url, '/v1/albums', { method: 'POST', token, body }),
    getItem: (id) => sendForJson(url, `/v1/mediaItems/${id}`, { token }),
  };
};
