import { createHash, randomBytes } from 'node:crypto';
import { makeTestPhoto } from '../pictures/testPhoto.ts';

/** A generated photo. */
export interface Photo {
  readonly filename: string;
  readonly bytes: Buffer<ArrayBuffer>;
  /** SHA-256 in hex. */
  readonly checksum: string;
}

/** Every 20th photo is padded, so that S3 stores it in several parts. */
const largeEvery = 20;
const largeBytes = 20 * 2 ** 20;

/** Makes distinct photos, taken 17 minutes apart. The same seed makes the same photos. */
export const makePhotos = async (seed: number, count: number): Promise<Photo[]> => {
  const photos: Photo[] = [];
  for (let index = 0; index < count; index++) {
    const taken = new Date(Date.UTC(2022, 3, 3, 12, 56, 11) + index * 17 * 60_000);
    const takenAt = taken.toISOString().slice(0, 19).replaceAll('-', ':').replace('T', ' ');
    const bytes = await makeTestPhoto({ seed: seed * 100_000 + index, width: 1600, height: 1200, takenAt });
    const isLarge = index % largeEvery === largeEvery - 1;
    photos.push(toPhoto(`photo-${index}.jpg`, isLarge ? Buffer.concat([bytes, Buffer.alloc(largeBytes)]) : bytes));
  }
  return photos;
};

/** Makes a small photo, padded to the given size with random bytes. */
export const makePaddedPhoto = async (seed: number, sizeBytes: number): Promise<Blob> => {
  const photo = Buffer.from(await makeTestPhoto({ seed, width: 96, height: 72 }));
  return new Blob([photo, randomBytes(sizeBytes - photo.length)]);
};

/** Makes a photo of a file name and content. */
export const toPhoto = (filename: string, bytes: Uint8Array): Photo => ({
  filename,
  bytes: Buffer.from(bytes),
  checksum: createHash('sha256').update(bytes).digest('hex'),
});
