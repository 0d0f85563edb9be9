import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { createRandom } from '../run/seededRandom.ts';
import { explainMissingTestData, getTestDataFolder } from '../run/testData.ts';
import { makeTestPhoto } from './testPhoto.ts';

const media = getTestDataFolder('media');

/** Reason to skip tests of faces, or false. */
export const lacksPortraits = explainMissingTestData('media');

/** A photo of the test media with expected faces. */
export interface Portrait {
  readonly name: string;
  readonly path: string;
  /** Person of the largest face. */
  readonly person: string | undefined;
  /** Minimum and maximum correct number of faces. */
  readonly faces: readonly [number, number] | undefined;
}

/** Returns the photos in the folders `faces` and `face-count`, in the order of the manifest. */
export const listPortraits = (): Portrait[] => {
  const manifest = JSON.parse(readFileSync(join(media, 'MANIFEST.json'), 'utf8')) as {
    files: { path: string; expected: { person?: string; faces?: number | string } }[];
  };
  return manifest.files
    .filter(({ path }) => /^face(s|-count)\//.test(path))
    .map(({ path, expected: { person, faces } }) => {
      const [min, max = min] = String(faces ?? '')
        .split('-')
        .map(Number);
      return {
        name: path,
        path: join(media, path),
        person,
        faces: faces === undefined ? undefined : ([min!, max!] as const),
      };
    });
};

/** Makes a picture of 800 × 600 pixels with a portrait at a random position and brightness; the same for the same seed. */
export const placePortrait = async ({ path }: Pick<Portrait, 'path'>, seed: number): Promise<Buffer> => {
  const random = createRandom(seed, 1);
  const scene = await makeTestPhoto({ seed, width: 800, height: 600 });
  const inset = await sharp(path)
    .autoOrient()
    .resize(random.pick([360, 420, 480]), 520, { fit: 'inside' })
    .linear(random.between(0.8, 1.1), 0)
    .png({ compressionLevel: 1 })
    .toBuffer({ resolveWithObject: true });
  const { width, height } = inset.info;
  const [left, top] = [random.below(800 - width), random.below(600 - height)];
  return sharp(scene)
    .composite([{ input: inset.data, left, top }])
    .jpeg({ quality: 90 })
    .toBuffer();
};
