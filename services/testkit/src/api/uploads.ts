import { acquireUpload } from '@hearth/api/features/uploads/acquireUpload.ts';
import { openUploadStore } from '@hearth/api/features/uploads/receiveUpload.ts';
import type { Client } from './client.ts';
import type { TestApi } from './testApi.ts';
import type { TestUser } from './testUser.ts';

/** Header of every request of the tus protocol. */
export const tus = { 'tus-resumable': '1.0.0' } as const;

/** Content type of the bytes of an upload. */
export const uploadType = 'application/offset+octet-stream';

/** Encodes the values of the header `Upload-Metadata`. */
export const encodeMetadata = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',');

/** Creates an upload of this length and returns its id. */
export const startUpload = async (
  call: Client,
  lengthBytes: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const response = await call('createUpload', {
    headers: { ...tus, 'upload-length': String(lengthBytes), ...headers },
  });
  if (response.status !== 201)
    throw new Error(`could not start the upload: ${response.status} ${response.bytes.toString()}`);
  return response.headers.get('location')!.split('/').at(-1)!;
};

/** Sends bytes of an upload from `offset` on. */
export const patch = (
  call: Client,
  id: string,
  offset: number,
  bytes: Buffer,
  headers: Readonly<Record<string, string>> = {},
) =>
  call('continueUpload', {
    params: { id },
    headers: { ...tus, 'content-type': uploadType, 'upload-offset': String(offset), ...headers },
    raw: bytes,
  });

/** Returns the offset and result of an upload. */
export const getUploadStatus = async (call: Client, id: string) => {
  const { status, headers } = await call('getUpload', { params: { id }, headers: tus });
  return {
    status,
    offset: Number(headers.get('upload-offset') ?? NaN),
    mediaItemId: headers.get('hearth-media-item-id') ?? undefined,
    headers,
  };
};

/**
 * Stores an upload of more than 8 MiB in the state after the last byte was recorded and before the item is created, as
 * if the process was killed.
 */
export const storeUnfinishedUpload = async (
  { deps }: Pick<TestApi, 'deps'>,
  { id: userId, call }: Pick<TestUser, 'id' | 'call'>,
  file: Buffer,
): Promise<string> => {
  const partBytes = 8 * 2 ** 20;
  const id = await startUpload(call, file.length);
  await patch(call, id, 0, file.subarray(0, partBytes));
  await using lockedUpload = await acquireUpload(deps, { userId, id, signal: new AbortController().signal });
  const store = openUploadStore(deps, lockedUpload);
  await store.addPart(file.subarray(partBytes));
  await store.commit(Buffer.alloc(0), { mimeType: 'image/jpeg', type: 'PHOTO' });
  return id;
};
