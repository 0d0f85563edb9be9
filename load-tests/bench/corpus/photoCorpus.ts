import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '@hearth/testkit/run/seededRandom.ts';
import { toolsDirectory } from '@hearth/testkit/run/tools.ts';
import sharp from 'sharp';
import { mapConcurrently } from '@hearth/testkit/hearth/mapConcurrently.ts';
import { drawScene, type Scene } from './drawScene.ts';
import { photoExif } from './photoExif.ts';

export interface CorpusPhoto {
  readonly path: string;
  readonly filename: string;
}

/**
 * Generates photos like those of a phone: distinct JPEGs of 12 megapixels and 2 to 5 MB. Half have a Display P3
 * profile, a quarter need rotation, and three quarters have a GPS position.
 * A photo depends only on its number, so a small corpus is a prefix of every larger one. Photos are cached outside the
 * project.
 */
export const prepareCorpus = async (count: number, say: (line: string) => void): Promise<CorpusPhoto[]> => {
  const directory = join(toolsDirectory(process.env), `bench-corpus-${corpusVersion}-sharp-${sharp.versions.sharp}`);
  await mkdir(directory, { recursive: true });
  const photos = Array.from({ length: count }, (_, index) => {
    const filename = `IMG_${String(index + 1).padStart(5, '0')}.jpg`;
    return { index, filename, path: join(directory, filename) };
  });
  const exists = await Promise.all(
    photos.map(async ({ path }) => (await stat(path).catch(() => undefined)) !== undefined),
  );
  const missing = photos.filter((_, index) => !exists[index]);
  if (missing.length > 0) say(`generating ${missing.length} photos (once) …`);
  sharp.concurrency(1);
  for (let sceneNumber = 0; sceneNumber < sceneCount; sceneNumber++) {
    const photosOfScene = missing.filter(({ index }) => index % sceneCount === sceneNumber);
    if (photosOfScene.length === 0) continue;
    const scene = await drawScene(sceneNumber + 1, width + marginPx, height + marginPx);
    await mapConcurrently(availableParallelism(), photosOfScene, async ({ path, index }) => {
      await writeFile(`${path}.part`, await renderPhoto(scene, index));
      await rename(`${path}.part`, path);
    });
  }
  return photos.map(({ path, filename }) => ({ path, filename }));
};

/** Increment this when the photos change, so that results of different photos are not compared. */
export const corpusVersion = 1;

const [width, height] = [4032, 3024] as const;

/** Number of distinct scenes. Each photo is a crop of one of them. */
const sceneCount = 6;

/** Extra width and height of a scene, in pixels, so that each photo gets a different crop. */
const marginPx = 64;

const renderPhoto = async (scene: Scene, index: number): Promise<Buffer> => {
  const random = createRandom(index + 1);
  // Each property has its own period, so that all combinations occur.
  const hasWideColours = index % 2 === 0;
  const orientation = (index >> 1) % 4 === 0 ? random.pick([6, 8, 3]) : 1;
  const hasPosition = (index >> 3) % 4 !== 0;
  const place = Math.floor(index / sceneCount);
  const section = { left: place % marginPx, top: Math.floor(place / marginPx) % marginPx, width, height };
  const picture = sharp(scene.pixels, { raw: { width: scene.width, height: scene.height, channels: 3 } })
    .extract(section)
    .withExif(photoExif(random, hasPosition));
  if (hasWideColours) picture.withIccProfile('p3');
  return setOrientation(await picture.jpeg({ quality: Math.floor(random.between(87, 95)) }).toBuffer(), orientation);
};

/** Sets the EXIF orientation of a photo. sharp always writes 1. */
const setOrientation = (photo: Buffer, orientation: number): Buffer => {
  const found = photo.indexOf(orientationEntry);
  if (found < 0) throw new Error('the photo has no orientation');
  photo.writeUInt16LE(orientation, found + 8);
  return photo;
};

/** The EXIF orientation entry, little-endian: tag 0x0112, type 3 (SHORT), count 1, value 1 (EXIF 2.32, 4.6.2). */
const orientationEntry = Buffer.from('120103000100000001000000', 'hex');
