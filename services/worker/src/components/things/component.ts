import { writeItemThings } from './queries.ts';
import { findThings } from '@hearth/inference/labels/findThings.ts';
import type { Component } from '../../context/component.ts';
import { taskCapabilities } from '../../context/tools.ts';

/** The longer sides at which a picture is looked at, in pixels: as a whole, and for the things in it. */
const sides = [640, 416] as const;

/** Finds the things that the item shows: as a whole, and in it. */
export const classification: Component = {
  name: 'CLASSIFICATION',
  opens: ['inference'],
  capabilities: [taskCapabilities.labels],
  pixels: sides,
  run: async ({ inference }, { item, pixels }) => {
    const things = findThings(await inference.findLabels(await Promise.all(sides.map(pixels))));
    return { state: 'DONE', warnings: [], writes: { write: (trx) => writeItemThings(trx, item, things) } };
  },
};
