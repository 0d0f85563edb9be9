import { relativeBox, type Box } from '../pixels/boxes.ts';
import { pixelsAtMost } from '../pixels/resizePixels.ts';
import type { PictureSizes } from '../pixels/rgbPixels.ts';
import type { RunModel } from '../pixels/tensor.ts';
import { detectObjects, objectsSide } from './detectObjects.ts';
import { recogniseScene } from './recogniseScene.ts';

/** The kinds of the models, in the order of their outputs. */
export interface Kinds {
  /** Lines of synset.txt, such as "n02099601 golden retriever". */
  readonly scenes: readonly string[];
  /** Lines of coco_classes.txt, such as "dog". */
  readonly objects: readonly string[];
}

/** The contents of a picture, in the models' vocabulary. */
export interface Labels {
  /** Classes of the whole picture, the most likely first; `probability` is 0 to 1. */
  readonly scenes: readonly { readonly kind: string; readonly probability: number }[];
  /** Sorted by score; `box` in fractions of the upright picture, `score` 0.3 to 1. */
  readonly objects: readonly { readonly kind: string; readonly score: number; readonly box: Box }[];
}

/** Longer side of the picture for classification, in pixels. Its shorter side is then scaled to 256. */
const sceneSide = 640;

/** Classifies the whole picture and detects objects in it. */
export async function findLabels(run: RunModel, kinds: Kinds, sizes: PictureSizes): Promise<Labels> {
  const seen = pixelsAtMost(sizes, objectsSide);
  const scenes = await recogniseScene(run, pixelsAtMost(sizes, sceneSide));
  const objects = await detectObjects(run, seen);
  return {
    scenes: scenes.map(({ kind, probability }) => ({ kind: getName(kinds.scenes, kind), probability })),
    objects: objects.map(({ kind, score, box }) => ({
      kind: getName(kinds.objects, kind),
      score,
      box: relativeBox(box, seen),
    })),
  };
}

const getName = (names: readonly string[], kind: number): string => {
  const name = names[kind];
  if (name === undefined) throw new Error(`Class ${kind} is out of range; the list has ${names.length} classes.`);
  return name;
};
