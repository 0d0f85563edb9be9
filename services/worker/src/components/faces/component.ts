import { Readable } from 'node:stream';
import { lockPeople } from '@hearth/core/people/itemFaces.ts';
import { isPeopleOff } from '@hearth/core/people/peopleOff.ts';
import { recogniseFaces, type DetectedFace } from './recogniseFaces.ts';
import { skipRun } from '@hearth/core/runs/switchedOffRuns.ts';
import { faceKey } from '@hearth/core/objects/keys.ts';
import { getComponentVersion } from '@hearth/core/config/pipeline.ts';
import type { Component, ItemContext } from '../../context/component.ts';
import type { ItemDeps } from '../../context/deps.ts';
import { assessFace, getThumbnailArea } from './assessFace.ts';
import { cropSize, maxCrops, type PicturePart } from '../../media/photo/cropParts.ts';
import { DecodeError } from '../../media/errors/decodeError.ts';
import type { EncodedPicture } from '../../media/pictures/photoPreview.ts';
import { taskCapabilities } from '../../context/tools.ts';

const version = getComponentVersion('FACES');

/** Longer sides of the pictures, in pixels: for detection, and for aligning small faces (the whole preview). */
const [detectionSide, previewSide] = [640, 1_440];

/**
 * Detects the faces on a photo or a video poster, and assigns them to people. Steps:
 * 1. detect: boxes, landmarks and embeddings, by the models
 * 2. assess: the quality of each face, and whether the face may start a new person
 * 3. crop: a thumbnail of each face
 * 4. recognise: assign people, in the transaction of the outcome, while holding the lock of the user's people
 */
export const faces: Component = {
  name: 'FACES',
  tools: ['inference'],
  capabilities: [taskCapabilities.faces],
  previewSizes: [detectionSide, previewSide],
  run: async (deps, context) => {
    const { item, pixels } = context;
    const sizes = [await pixels(detectionSide), await pixels(previewSide)];
    const picture = sizes[1]!;
    const found = (await deps.inference.findFaces(sizes)).slice(0, maxCrops);
    const assessed = found.map((face) => {
      const { quality, isFounding } = assessFace(face, picture);
      const { box, embedding } = face;
      return { box, embedding, quality, isFounding, thumbnailKey: faceKey(item.user_id, item.id, version, box) };
    });
    const thumbnails = await cropFaces(
      deps,
      context,
      picture.width,
      assessed.map(({ box }) => getThumbnailArea(box, picture)),
    );
    const detected: DetectedFace[] = assessed.map((face, nth) =>
      Object.assign(face, { thumbnailBytes: thumbnails[nth]!.bytes.length }),
    );
    await Promise.all(
      detected.map(({ thumbnailKey }, nth) => deps.objects.put(thumbnailKey, Readable.from([thumbnails[nth]!.bytes]))),
    );
    return {
      state: 'DONE',
      warnings: [],
      writes: {
        lock: (trx) => lockPeople(trx, item.user_id),
        // If the people feature was switched off during the run, writes nothing and keeps earlier faces.
        write: async (trx) =>
          (await isPeopleOff(trx, item.user_id, deps.config.featuresOff))
            ? skipRun(trx, item.id, 'FACES')
            : recogniseFaces(trx, item, detected),
      },
    };
  },
};

/**
 * Crops faces from the preview, which is `width` pixels wide, if it shows all of them in full resolution. Otherwise crops them from the original, if
 * it has more pixels. Videos and files that sharp cannot read are cropped from the preview.
 */
const cropFaces = async (
  { decoders }: ItemDeps,
  { item, original, preview }: ItemContext,
  width: number,
  parts: readonly PicturePart[],
): Promise<readonly EncodedPicture[]> => {
  if (parts.length === 0) return [];
  const isPreviewEnough = parts.every((part) => part.width * width >= cropSize);
  const hasMore = item.type === 'PHOTO' && (item.width_px ?? 0) > width;
  if (hasMore && !isPreviewEnough)
    try {
      return await decoders.cutOut(await original(), parts);
    } catch (error) {
      if (!(error instanceof DecodeError && error.permanent)) throw error;
    }
  return decoders.cutOut(await preview(), parts);
};
