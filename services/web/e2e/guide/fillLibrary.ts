import { Readable } from 'node:stream';
import { transaction } from '@hearth/core/db/database.ts';
import { writeItemThings } from '@hearth/worker/components/things/queries.ts';
import type { ObjectStore } from '@hearth/core/objects/objects.ts';
import { cutSquare } from '@hearth/testkit/pictures/comparePictures.ts';
import { recognise } from '@hearth/testkit/rows/faces.ts';
import {
  drawLandscape,
  drawLandscapes,
  landscapeHeight,
  type DrawnPhoto,
} from '@hearth/testkit/pictures/landscapes.ts';
import { makeFaceGenerator } from '@hearth/testkit/rows/generatedFaces.ts';
import { faceKey } from '@hearth/core/objects/keys.ts';
import type { TestContext } from '../testing/startTestContext.ts';
import type { TestUser } from '../testing/testUser.ts';
import { waitUntilProcessed } from '../testing/things.ts';
import { appearances } from './drawFigures.ts';
import type { Scene } from './scenes.ts';

/** File numbers of the scenes start here, after those of the plain landscapes. */
const firstSceneIndex = 40;

export const getSceneFile = (index: number): string => `IMG_${4_001 + firstSceneIndex + index}.jpg`;

/** Sides of the face box and of its cut-out picture, in head radii. */
const [faceSide, cutOutSide] = [2.1, 4];

/** Fills a library with drawn photos. Writes their faces and objects, because models recognize nothing in drawings. */
export const fillLibrary = async (
  testContext: TestContext,
  user: TestUser,
  objects: ObjectStore,
  scenes: readonly Scene[],
): Promise<void> => {
  const drawn = await Promise.all(scenes.map((scene, index) => drawLandscape(scene, firstSceneIndex + index)));
  await user.uploadFiles([...(await drawLandscapes()), ...drawn]);
  await waitUntilProcessed(testContext, user);
  const items = await testContext.db
    .selectFrom('media_items')
    .select(['id', 'user_id', 'filename'])
    .where('user_id', '=', user.id)
    .execute();
  // Removes what a model recognized in the plain landscapes.
  for (const item of items) await transaction(testContext.db, (trx) => writeItemThings(trx, item, []));
  const { person: embeddingOfPerson, makeFace } = makeFaceGenerator(7);
  const embeddings = new Map(Object.keys(appearances).map((name) => [name, embeddingOfPerson()]));
  for (const [index, scene] of scenes.entries()) {
    const photo = drawn[index]!;
    const item = items.find(({ filename }) => filename === getSceneFile(index))!;
    await transaction(testContext.db, (trx) =>
      writeItemThings(
        trx,
        item,
        scene.things.map((name) => ({ name })),
      ),
    );
    const width = Math.round(landscapeHeight * scene.ratio);
    const seen = await Promise.all(
      scene.people.map(async ({ name, head: { x, y, radius } }) => {
        const side = radius * faceSide;
        const box = {
          left: (x - side / 2) / width,
          top: (y - side / 2) / landscapeHeight,
          width: side / width,
          height: side / landscapeHeight,
        };
        const thumbnailKey = faceKey(item.user_id, item.id, 1, box);
        await objects.put(thumbnailKey, Readable.from([await cropFace(photo, width, { x, y, radius })]));
        return { box, thumbnailKey, quality: 0.9, isFounding: true, embedding: makeFace(embeddings.get(name)!, 0.95) };
      }),
    );
    if (seen.length > 0) await recognise(testContext.db, item, seen);
  }
};

/** Cuts out the square around a head as the face picture. */
const cropFace = async (
  { buffer }: DrawnPhoto,
  photoWidth: number,
  { x, y, radius }: { readonly x: number; readonly y: number; readonly radius: number },
): Promise<Buffer> => {
  const side = Math.round(radius * cutOutSide);
  const clampStart = (middle: number, length: number): number =>
    Math.round(Math.max(0, Math.min(length - side, middle - side / 2)));
  return cutSquare(buffer, { left: clampStart(x, photoWidth), top: clampStart(y, landscapeHeight), side, to: 240 });
};
