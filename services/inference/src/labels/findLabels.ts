import { relativeBox, type Box } from '../pixels/boxes.ts';
import { pixelsAtMost } from '../pixels/resizePixels.ts';
import type { PictureSizes } from '../pixels/rgbPixels.ts';
import type { RunModel } from '../pixels/tensor.ts';
import { detectObjects, objectsSide } from './detectObjects.ts';
import { recogniseScene } from './recogniseScene.ts';

/** The kinds that the models know, each list in the order of the numbers that a model answers. */
export interface Kinds {
  /** Lines of synset.txt, such as "n02099601 golden retriever". */
  readonly scenes: readonly string[];
  /** Lines of coco_classes.txt, such as "dog". */
  readonly objects: readonly string[];
}

/** What a picture shows, in the words of the models. */
export interface Labels {
  /** Of the whole picture, the most likely first; `probability` is 0 to 1. */
  readonly scenes: readonly { readonly kind: string; readonly probability: number }[];
  /** Surest first; `box` in parts of the width and height of the upright picture, `score` 0.3 to 1. */
  readonly objects: readonly { readonly kind: string; readonly score: number; readonly box: Box }[];
}

/** The longer side of the picture in which the scene is recognised, in pixels: its shorter side becomes 256 of them. */
const sceneSide = 640;

/** Says what a picture shows: as a whole, and which things are where. */
export async function findLabels(run: RunModel, kinds: Kinds, sizes: PictureSizes): Promise<Labels> {
  const seen = pixelsAtMost(sizes, objectsSide);
  const scenes = await recogniseScene(run, pixelsAtMost(sizes, sceneSide));
  const objects = await detectObjects(run, seen);
  return {
    scenes: scenes.map(({ kind, probability }) => ({ kind: nameOf(kinds.scenes, kind), probability })),
    objects: objects.map(({ kind, score, box }) => ({
      kind: nameOf(kinds.objects, kind),
      score,
      box: relativeBox(box, seen),
    })),
  };
}

const nameOf = (names: readonly string[], kind: number): string => {
  const name = names[kind];
  if (name === undefined) throw new Error(`The list of kinds has ${names.length} and no number ${kind}.`);
  return name;
};
