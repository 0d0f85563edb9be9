import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxHashDistance } from '@hearth/core/duplicates/similarPictures.ts';
import { drawLandscapes } from '@hearth/testkit/pictures/landscapes.ts';
import { copyNames, makeCopy, makeOriginal } from '@hearth/testkit/pictures/pictureCopies.ts';
import { makeVariant } from '@hearth/testkit/pictures/pictureVariants.ts';
import { makePlainPicture } from '@hearth/testkit/pictures/colourShare.ts';
import { readTestPixels } from '@hearth/testkit/pictures/readTestPixels.ts';
import { listPictures } from '@hearth/testkit/models/testModels.ts';
import { lacksMedia } from '@hearth/testkit/mediaSet/mediaSet.ts';
import { hashDistance } from '@hearth/testkit/pictures/dHash.ts';
import { computePictureFeatures } from './perceptualHash.ts';

const computeFeatures = async (picture: string | Buffer) => computePictureFeatures(await readTestPixels(picture, 640));

const computeHash = async (picture: Buffer): Promise<bigint> => (await computeFeatures(picture))!.hash;

/** Compares the hashes of six pictures, of their copies, and of their mirror images. */
const assertHashesDistinguish = async (originals: readonly Buffer[]): Promise<void> => {
  const hashes: bigint[] = [];
  for (const original of originals) {
    const hash = await computeHash(original);
    for (const name of copyNames) {
      const distance = hashDistance(hash, await computeHash(await makeCopy(original, name)));
      assert.ok(distance <= maxHashDistance, `picture ${hashes.length}, ${name}: ${distance}`);
    }
    const mirrored = await computeHash(await makeVariant(original, 'mirrored'));
    assert.ok(hashDistance(hash, mirrored) > maxHashDistance, `picture ${hashes.length}, mirrored`);
    for (const [index, other] of hashes.entries())
      assert.ok(hashDistance(hash, other) > maxHashDistance, `pictures ${index} and ${hashes.length}`);
    hashes.push(hash);
  }
  assert.equal(hashes.length, 6);
};

const landscapes = (await drawLandscapes()).slice(0, 6).map(({ buffer }) => buffer);

test('gives copies and light edits of drawn pictures similar hashes, and other pictures different ones', () =>
  assertHashesDistinguish(landscapes));

test(
  'gives copies and light edits of photos similar hashes, and other photos different ones',
  { skip: lacksMedia },
  async () => assertHashesDistinguish(await Promise.all(listPictures('camera-jpeg').slice(0, 6).map(makeOriginal))),
);

test('measures a blurred picture as less sharp', async () => {
  const [original] = landscapes;
  const blurred = await computeFeatures(await makeCopy(original!, 'blurred'));
  assert.ok(blurred!.sharpness < (await computeFeatures(original!))!.sharpness);
});

test('returns no features for a picture with almost no contrast', async () => {
  assert.equal(await computeFeatures(await makePlainPicture([12, 12, 14], 300)), undefined);
});
