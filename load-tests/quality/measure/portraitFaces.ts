import { makeVariant, variantNames, type VariantName } from '@hearth/testkit/pictures/pictureVariants.ts';
import { listPortraits, type Portrait } from '@hearth/testkit/pictures/portraits.ts';
import { readTestPixels } from '@hearth/testkit/pictures/readTestPixels.ts';
import { findFaces, type Face } from '@hearth/inference/faces/findFaces.ts';
import type { RunModel } from '@hearth/inference/pixels/tensor.ts';
import { assessFace, type FaceQuality } from '@hearth/worker/components/faces/assessFace.ts';

/** A test photo, or a variant of it, with the found faces. The largest face comes first. */
export interface PortraitResult {
  readonly portrait: Portrait;
  readonly variant: VariantName | 'original';
  readonly faces: readonly (Face & FaceQuality)[];
}

/** Finds the faces of all portraits, and of the variants of portraits with a known person. */
export const findPortraitFaces = async (run: RunModel): Promise<PortraitResult[]> => {
  const photos: PortraitResult[] = [];
  for (const portrait of listPortraits()) {
    photos.push({ portrait, variant: 'original', faces: await findFacesIn(run, portrait.path) });
    if (portrait.person === undefined) continue;
    for (const variant of variantNames)
      photos.push({ portrait, variant, faces: await findFacesIn(run, await makeVariant(portrait.path, variant)) });
  }
  return photos;
};

/** Finds and judges faces as the FACES component does. */
export const findFacesIn = async (run: RunModel, picture: string | Buffer): Promise<(Face & FaceQuality)[]> => {
  const sizes = [await readTestPixels(picture, 640), await readTestPixels(picture, 1_440)];
  const faces = await findFaces(run, sizes);
  return faces
    .toSorted((a, b) => getArea(b) - getArea(a))
    .map((face) => Object.assign(face, assessFace(face, sizes[1]!)));
};

const getArea = ({ box }: Face): number => box.width * box.height;
