import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '@hearth/testkit/run/seededRandom.ts';
import { toolsDirectory } from '@hearth/testkit/run/tools.ts';
import sharp from 'sharp';
import { mapConcurrently } from '@hearth/testkit/hearth/mapConcurrently.ts';
import { drawScene, type Scene } from './drawScene.ts';
import { photoExif } from './photoExif.ts';

/** A photo of the corpus. */
export interface CorpusPhoto {
  readonly path: string;
  readonly filename: string;
}

/**
 * Photos as a phone takes them: JPEGs of 12 megapixels and 2 to 5 MB, no two alike, half with a Display P3 profile, a quarter to be
 * turned, three quarters with a position. A photo depends on its number alone, so a corpus is the beginning of every larger one; those
 * made once are kept in the cache, outside of the project.
 */
export const prepareCorpus = async (count: number, say: (line: string) => void): Promise<CorpusPhoto[]> => {
  const directory = join(toolsDirectory(process.env), `bench-corpus-${corpusVersion}-sharp-${sharp.versions.sharp}`);
  await mkdir(directory, { recursive: true });
  const photos = Array.from({ length: count }, (_, index) => {
    const filename = `IMG_${String(index + 1).padStart(5, '0')}.jpg`;
    return { index, filename, path: join(directory, filename) };
  });
  const isThere = await Promise.all(
    photos.map(async ({ path }) => (await stat(path).catch(() => undefined)) !== undefined),
  );
  const missing = photos.filter((_, index) => !isThere[index]);
  if (missing.length > 0) say(`making ${missing.length} photos (once) …`);
  sharp.concurrency(1);
  for (let sceneNumber = 0; sceneNumber < sceneCount; sceneNumber++) {
    const ofScene = missing.filter(({ index }) => index % sceneCount === sceneNumber);
    if (ofScene.length === 0) continue;
    const scene = await drawScene(sceneNumber + 1, width + marginPx, height + marginPx);
    await mapConcurrently(availableParallelism(), ofScene, async ({ path, index }) => {
      await writeFile(`${path}.part`, await takePhoto(scene, index));
      await rename(`${path}.part`, path);
    });
  }
  return photos.map(({ path, filename }) => ({ path, filename }));
};

/** Raised when the photos change, so that results of different photos are not compared. */
export const corpusVersion = 1;

const [width, height] = [4032, 3024] as const;

/** Different pictures, of which each photo shows a section of its own. */
const sceneCount = 6;

/** Pixels by which a scene is wider and higher than a photo of it, so that each photo shows another section. */
const marginPx = 64;

const takePhoto = async (scene: Scene, index: number): Promise<Buffer> => {
  const random = createRandom(index + 1);
  // Each property changes with a period of its own, so that they come in all combinations.
  const hasWideColours = index % 2 === 0;
  const orientation = (index >> 1) % 4 === 0 ? random.pick([6, 8, 3]) : 1;
  const hasPosition = (index >> 3) % 4 !== 0;
  const place = Math.floor(index / sceneCount);
  const section = { left: place % marginPx, top: Math.floor(place / marginPx) % marginPx, width, height };
  const picture = sharp(scene.pixels, { raw: { width: scene.width, height: scene.height, channels: 3 } })
    .extract(section)
    .withExif(photoExif(random, hasPosition));
  if (hasWideColours) picture.withIccProfile('p3');
  return turn(await picture.jpeg({ quality: Math.floor(random.between(87, 95)) }).toBuffer(), orientation);
};

/** Writes an orientation into the EXIF of a photo; sharp writes 1 there, whatever it is told. */
const turn = (photo: Buffer, orientation: number): Buffer => {
  const found = photo.indexOf(uprightEntry);
  if (found < 0) throw new Error('the photo has no orientation');
  photo.writeUInt16LE(orientation, found + 8);
  return photo;
};

/** An entry of a directory, little-endian: tag 0x0112, type 3 (SHORT), one value, 1 (EXIF 2.32, 4.6.2). */
const uprightEntry = Buffer.from('120103000100000001000000', 'hex');
