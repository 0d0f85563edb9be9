import { check, sleep } from 'k6';
import execution from 'k6/execution';
import { open, SeekMode, type File } from 'k6/experimental/fs';
import http from 'k6/http';
import { addressOf, askForJson, checkStatus, paramsOf } from './ask.ts';
import { settings } from './settings.ts';

/** What a script reads of a media item. */
export interface Item {
  readonly id: string;
  readonly status: string;
  readonly thumbnailUrl?: string;
  readonly previewUrl?: string;
}

/** A photo that is like no other one, since Hearth knows bytes that it has already. */
export interface Photo {
  readonly filename: string;
  readonly bytes: ArrayBuffer;
}

/** Bytes behind the end of a JPEG that make it another one: no decoder reads them. */
const tailBytes = 24;

/** Files whose bytes all VUs share, opened in the init context. */
const files: File[] = [];
void (async () => {
  for (const path of settings.photoPaths) files.push(await open(path));
})();

/** Takes the next photo: another picture each time, and never the same bytes. @throws where the run was given none */
export const takePhoto = async (): Promise<Photo> => {
  const { idInTest } = execution.vu;
  const number = taken++;
  const file = files[(idInTest + number) % files.length];
  if (file === undefined) throw new Error('HEARTH_LOAD_PHOTOS names no photos');
  const { size } = await file.stat();
  const bytes = new Uint8Array(size + tailBytes);
  await file.seek(0, SeekMode.Start);
  await file.read(bytes.subarray(0, size));
  for (let index = size; index < bytes.length; index++) bytes[index] = Math.floor(Math.random() * 256);
  return { filename: `LOAD_${idInTest}_${number}.jpg`, bytes: bytes.buffer };
};

/** How many this VU has taken. */
let taken = 0;

/** Uploads photos at the same time and answers the ids of those that arrived. */
export const uploadPhotos = (photos: readonly Photo[], token: string): string[] => {
  const requests = photos.map(({ filename, bytes }) => ({
    method: 'POST',
    url: addressOf('/v1/mediaItems'),
    body: { file: http.file(bytes, filename, 'image/jpeg') },
    params: { ...paramsOf('upload', { token }), timeout: '120s' },
  }));
  return http.batch(requests).flatMap((response) => {
    const isStored = checkStatus(response, 'upload', 201);
    return isStored ? [(response.json() as { id: string }).id] : [];
  });
};

/** Seconds that a photo may take where no worker runs when it comes. */
const patienceSeconds = 180;

/** Waits until a photo is READY. @throws Error that ends the iteration, where it fails or does not become READY */
export const untilReady = (id: string, token: string): Item => {
  for (const begunAt = Date.now(); ; sleep(0.25)) {
    const item = askForJson<Item>('item', `/v1/mediaItems/${id}`, { token });
    const isLate = Date.now() - begunAt > patienceSeconds * 1_000;
    if (item.status === 'PROCESSING' && !isLate) continue;
    // An error alone ends the iteration and not the run.
    if (check(item, { 'photos become READY': ({ status }) => status === 'READY' })) return item;
    throw new Error(`${id} is ${item.status} after ${(Date.now() - begunAt) / 1_000} s`);
  }
};

/** Fills a library with so many photos that are READY. To be called in `setup`. */
export const fillLibrary = async (count: number, token: string): Promise<string[]> => {
  const ids: string[] = [];
  while (ids.length < count) {
    const photos = [await takePhoto(), await takePhoto()];
    ids.push(...uploadPhotos(photos.slice(0, count - ids.length), token));
  }
  for (const id of ids) untilReady(id, token);
  return ids;
};
