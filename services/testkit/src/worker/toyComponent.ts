import { writeItemThings } from '@hearth/worker/components/things/queries.ts';
import type { Component } from '@hearth/worker/context/component.ts';

/** An example of a component that reads pixels: stores a picture's dominant colour and size as a thing. */
export const toyComponent: Component = {
  name: 'SEARCH',
  tools: [],
  capabilities: [],
  previewSizes: 640,
  run: async (_, { item, pixels }) => {
    const { data, width, height } = await pixels(640);
    const sums = [0, 0, 0];
    for (const [at, value] of data.entries()) sums[at % 3]! += value;
    const dominantColour = ['red', 'green', 'blue'][sums.indexOf(Math.max(...sums))];
    return {
      state: 'DONE',
      warnings: [],
      writes: { write: (trx) => writeItemThings(trx, item, [{ name: `${dominantColour} ${width} ${height}` }]) },
    };
  },
};
