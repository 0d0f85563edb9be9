import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunModel } from '@hearth/inference/pixels/tensor.ts';
import { mediaPath } from '@hearth/testkit/models/testModels.ts';
import { findIn } from './portraitFaces.ts';

/** The photos of the test media on which a person who has looked at each sees nobody's face; animals, drawings and a skull are on some. */
const faceless = JSON.parse(readFileSync(join(import.meta.dirname, 'faceless.json'), 'utf8')) as readonly string[];

/** Faces that are found where there is none, and how many of them might make somebody known. */
export const findFalseAlarms = async (run: RunModel) => {
  const found: { readonly photo: string; readonly faces: number; readonly founding: number }[] = [];
  for (const photo of faceless) {
    const faces = await findIn(run, mediaPath(photo));
    if (faces.length > 0)
      found.push({ photo, faces: faces.length, founding: faces.filter(({ isFounding }) => isFounding).length });
  }
  return { photos: faceless.length, found };
};
