import { writeItemThings } from '@hearth/worker/components/things/queries.ts';
import type { Component } from '@hearth/worker/context/component.ts';

/** Stands for a component that looks at pictures: writes a picture's strongest colour and its size as a thing that the item shows. */
export const toyComponent: Component = {
  name: 'SEARCH',
  opens: [],
  capabilities: [],
  pixels: 640,
  run: async (_, { item, pixels }) => {
    const { data, width, height } = await pixels(640);
    const sums = [0, 0, 0];
    for (const [at, value] of data.entries()) sums[at % 3]! += value;
    const most = ['red', 'green', 'blue'][sums.indexOf(Math.max(...sums))];
    return {
      state: 'DONE',
      warnings: [],
      writes: { write: (trx) => writeItemThings(trx, item, [{ name: `${most} ${width} ${height}` }]) },
    };
  },
};
