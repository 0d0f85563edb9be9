import { check, sleep } from 'k6';
import execution from 'k6/execution';
import { open, SeekMode, type File } from 'k6/experimental/fs';
import http from 'k6/http';
import { toUrl, requestJson, checkStatus, makeParams } from './request.ts';
import { settings } from './settings.ts';

/** The media item fields that the scripts read. */
export interface Item {
  readonly id: string;
  readonly status: string;
  readonly thumbnailUrl?: string;
  readonly previewUrl?: string;
}

/** A photo with unique bytes, because Hearth detects duplicates. */
export interface Photo {
  readonly filename: string;
  readonly bytes: ArrayBuffer;
}

/** Random bytes appended to a JPEG to make it unique. Decoders ignore them. */
const tailBytes = 24;

/** Files opened in the init context. All VUs share their bytes. */
const files: File[] = [];
void (async () => {
  for (const path of settings.photoPaths) files.push(await open(path));
})();

/** Returns the next photo, with a different picture and unique bytes. @throws if the run has no photos */
export const makePhoto = async (): Promise<Photo> => {
  const { idInTest } = execution.vu;
  const number = photoCount++;
  const file = files[(idInTest + number) % files.length];
  if (file === undefined) throw new Error('HEARTH_LOAD_PHOTOS has no photos');
  const { size } = await file.stat();
  const bytes = new Uint8Array(size + tailBytes);
  await file.seek(0, SeekMode.Start);
  await file.read(bytes.subarray(0, size));
  for (let index = size; index < bytes.length; index++) bytes[index] = Math.floor(Math.random() * 256);
  return { filename: `LOAD_${idInTest}_${number}.jpg`, bytes: bytes.buffer };
};

/** Number of photos this VU has taken. */
let photoCount = 0;

/** Uploads photos in parallel and returns the ids of those that were stored. */
export const uploadPhotos = (photos: readonly Photo[], token: string): string[] => {
  const requests = photos.map(({ filename, bytes }) => ({
    method: 'POST',
    url: toUrl('/v1/mediaItems'),
    body: { file: http.file(bytes, filename, 'image/jpeg') },
    params: { ...makeParams('upload', { token }), timeout: '120s' },
  }));
  return http.batch(requests).flatMap((response) => {
    const isStored = checkStatus(response, 'upload', 201);
    return isStored ? [(response.json() as { id: string }).id] : [];
  });
};

/** Time for one photo to become READY when no worker is running yet. */
const timeoutSeconds = 180;

/** Waits until a photo is READY. @throws if it fails or times out, which ends the iteration */
export const waitUntilReady = (id: string, token: string): Item => {
  for (const begunAt = Date.now(); ; sleep(0.25)) {
    const item = requestJson<Item>('item', `/v1/mediaItems/${id}`, { token });
    const isLate = Date.now() - begunAt > timeoutSeconds * 1_000;
    if (item.status === 'PROCESSING' && !isLate) continue;
    // An error alone would end the iteration but not fail the run. The check does.
    if (check(item, { 'photos become READY': ({ status }) => status === 'READY' })) return item;
    throw new Error(`${id} is ${item.status} after ${(Date.now() - begunAt) / 1_000} s`);
  }
};

/** Fills a library with READY photos and returns their ids. Call it in `setup`. */
export const fillLibrary = async (count: number, token: string): Promise<string[]> => {
  const ids: string[] = [];
  while (ids.length < count) {
    const photos = [await makePhoto(), await makePhoto()];
    ids.push(...uploadPhotos(photos.slice(0, count - ids.length), token));
  }
  for (const id of ids) waitUntilReady(id, token);
  return ids;
};
