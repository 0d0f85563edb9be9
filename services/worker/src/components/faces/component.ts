import { Readable } from 'node:stream';
import { lockPeople } from '@hearth/core/people/itemFaces.ts';
import { isPeopleOff } from '@hearth/core/people/peopleOff.ts';
import { recogniseFaces, type SeenFace } from './recogniseFaces.ts';
import { skipRun } from '@hearth/core/runs/switchedOffRuns.ts';
import { faceKey } from '@hearth/core/objects/keys.ts';
import { getComponentVersion } from '@hearth/core/config/pipeline.ts';
import type { Component, ItemContext } from '../../context/component.ts';
import type { ItemDeps } from '../../context/deps.ts';
import { judgeFace, framePart } from './judgeFace.ts';
import { cutOutSize, maxCutOuts, type PicturePart } from '../../media/photo/cutOut.ts';
import { DecodeError } from '../../media/errors/decodeError.ts';
import type { EncodedPicture } from '../../media/pictures/photoPreview.ts';
import { taskCapabilities } from '../../context/tools.ts';

const version = getComponentVersion('FACES');

/** Longer sides of the pictures, in pixels: for detection, and for aligning small faces (the whole preview). */
const [searched, largest] = [640, 1_440];

/**
 * Detects the faces on a photo or a video poster, and assigns them to people. Steps:
 * 1. detect: boxes, landmarks and embeddings, by the models
 * 2. judge: quality of each face, and if it may found a person
 * 3. crop: a thumbnail of each face
 * 4. recognise: assign people, in the transaction of the outcome, while holding the lock of the user's people
 */
export const faces: Component = {
  name: 'FACES',
  opens: ['inference'],
  capabilities: [taskCapabilities.faces],
  pixels: [searched, largest],
  run: async (deps, context) => {
    const { item, pixels } = context;
    const sizes = [await pixels(searched), await pixels(largest)];
    const picture = sizes[1]!;
    const found = (await deps.inference.findFaces(sizes)).slice(0, maxCutOuts);
    const judged = found.map((face) => {
      const { quality, isFounding } = judgeFace(face, picture);
      const { box, embedding } = face;
      return { box, embedding, quality, isFounding, thumbnailKey: faceKey(item.user_id, item.id, version, box) };
    });
    const cuts = await cutFaces(
      deps,
      context,
      picture.width,
      judged.map(({ box }) => framePart(box, picture)),
    );
    const seen: SeenFace[] = judged.map((face, nth) =>
      Object.assign(face, { thumbnailBytes: cuts[nth]!.bytes.length }),
    );
    await Promise.all(
      seen.map(({ thumbnailKey }, nth) => deps.objects.put(thumbnailKey, Readable.from([cuts[nth]!.bytes]))),
    );
    return {
      state: 'DONE',
      warnings: [],
      writes: {
        lock: (trx) => lockPeople(trx, item.user_id),
        // If people was switched off during the run, no vector is written and earlier faces stay.
        write: async (trx) =>
          (await isPeopleOff(trx, item.user_id, deps.config.featuresOff))
            ? skipRun(trx, item.id, 'FACES')
            : recogniseFaces(trx, item, seen),
      },
    };
  },
};

/**
 * Crops faces from the original if it has more pixels than the preview, which is `width` pixels wide. Videos and files that sharp cannot read are
 * cropped from the preview.
 */
const cutFaces = async (
  { decoders }: ItemDeps,
  { item, original, preview }: ItemContext,
  width: number,
  parts: readonly PicturePart[],
): Promise<readonly EncodedPicture[]> => {
  if (parts.length === 0) return [];
  const isPreviewEnough = parts.every((part) => part.width * width >= cutOutSize);
  const hasMore = item.type === 'PHOTO' && (item.width_px ?? 0) > width;
  if (hasMore && !isPreviewEnough)
    try {
      return await decoders.cutOut(await original(), parts);
    } catch (error) {
      if (!(error instanceof DecodeError && error.permanent)) throw error;
    }
  return decoders.cutOut(await preview(), parts);
};
