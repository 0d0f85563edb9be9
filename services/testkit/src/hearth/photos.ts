import { createHash, randomBytes } from 'node:crypto';
import { makeTestPhoto } from '../pictures/testPhoto.ts';

/** A generated photo, as a client has it. */
export interface Photo {
  readonly filename: string;
  readonly bytes: Buffer<ArrayBuffer>;
  /** SHA-256 in hex. */
  readonly checksum: string;
}

/** One photo in so many has as many bytes behind its end, so that S3 stores it in several parts. */
const largeEvery = 20;
const largeBytes = 20 * 2 ** 20;

/** Makes photos that all differ, taken a minute apart over some days, the same for the same seed. */
export const makePhotos = async (seed: number, count: number): Promise<Photo[]> => {
  const photos: Photo[] = [];
  for (let index = 0; index < count; index++) {
    const taken = new Date(Date.UTC(2022, 3, 3, 12, 56, 11) + index * 17 * 60_000);
    const takenAt = taken.toISOString().slice(0, 19).replaceAll('-', ':').replace('T', ' ');
    const bytes = await makeTestPhoto({ seed: seed * 100_000 + index, width: 1600, height: 1200, takenAt });
    const isLarge = index % largeEvery === largeEvery - 1;
    photos.push(asPhoto(`photo-${index}.jpg`, isLarge ? Buffer.concat([bytes, Buffer.alloc(largeBytes)]) : bytes));
  }
  return photos;
};

/** Makes a small photo that random bytes behind its end make as large as asked for. */
export const makePaddedPhoto = async (seed: number, sizeBytes: number): Promise<Blob> => {
  const photo = Buffer.from(await makeTestPhoto({ seed, width: 96, height: 72 }));
  return new Blob([photo, randomBytes(sizeBytes - photo.length)]);
};

/** Bytes with their name and checksum. */
export const asPhoto = (filename: string, bytes: Uint8Array): Photo => ({
  filename,
  bytes: Buffer.from(bytes),
  checksum: createHash('sha256').update(bytes).digest('hex'),
});
