import { writeItemThings } from './queries.ts';
import { findThings } from '@hearth/inference/labels/findThings.ts';
import type { Component } from '../../context/component.ts';
import { taskCapabilities } from '../../context/tools.ts';

/** Longer sides of the pictures, in pixels: for whole-picture labels, and for object detection. */
const previewSides = [640, 416] as const;

/** Classifies the whole picture and detects objects in it. */
export const classification: Component = {
  name: 'CLASSIFICATION',
  tools: ['inference'],
  capabilities: [taskCapabilities.labels],
  previewSizes: previewSides,
  run: async ({ inference }, { item, pixels }) => {
    const things = findThings(await inference.findLabels(await Promise.all(previewSides.map(pixels))));
    return { state: 'DONE', warnings: [], writes: { write: (trx) => writeItemThings(trx, item, things) } };
  },
};
