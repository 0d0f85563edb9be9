import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxHashDistance } from '@hearth/core/db/duplicates/nearPictures.ts';
import { copyNames, makeCopy, makeOriginal } from '@hearth/core/testing/pictureCopies.ts';
import { makeVariant } from '@hearth/core/testing/pictureVariants.ts';
import { makePlainPicture } from '@hearth/core/testing/plainPicture.ts';
import { readTestPixels } from '@hearth/core/testing/readTestPixels.ts';
import { listPictures } from '@hearth/inference/testing/testModels.ts';
import { lacksMedia } from '../media/testing/mediaSet.ts';
import { hashDistance } from '../media/testing/dHash.ts';
import { lookOf } from './pictureLook.ts';

const lookAt = async (picture: string | Buffer) => lookOf(await readTestPixels(picture, 640));

const hashOf = async (picture: Buffer): Promise<bigint> => (await lookAt(picture))!.hash;

test(
  'copies and light edits have nearly the hash of a picture, and others have not',
  { skip: lacksMedia },
  async () => {
    const hashes: bigint[] = [];
    for (const path of listPictures('camera-jpeg').slice(0, 6)) {
      const original = await makeOriginal(path);
      const hash = await hashOf(original);
      for (const name of copyNames) {
        const distance = hashDistance(hash, await hashOf(await makeCopy(original, name)));
        assert.ok(distance <= maxHashDistance, `${path} ${name}: ${distance}`);
      }
      const mirrored = await hashOf(await makeVariant(original, 'mirrored'));
      assert.ok(hashDistance(hash, mirrored) > maxHashDistance, `${path} mirrored`);
      for (const other of hashes) assert.ok(hashDistance(hash, other) > maxHashDistance, path);
      hashes.push(hash);
    }
    assert.equal(hashes.length, 6);
  },
);

test('a blurred picture is less sharp than it was', { skip: lacksMedia }, async () => {
  const original = await makeOriginal(listPictures('camera-jpeg')[0]!);
  const blurred = await lookAt(await makeCopy(original, 'blurred'));
  assert.ok(blurred!.sharpness < (await lookAt(original))!.sharpness);
});

test('a picture with next to nothing in it has no look', async () => {
  assert.equal(await lookAt(await makePlainPicture([12, 12, 14], 300)), undefined);
});
