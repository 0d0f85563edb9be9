import { writeItemText } from '@hearth/core/db/items/itemTexts.ts';
import type { Component } from '../context/component.ts';

/** Says of a picture which of its colours there is most of, as a component that has learned to read says what is written there. */
export const toyComponent: Component = {
  name: 'OCR',
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
      writes: { write: (trx) => writeItemText(trx, item.id, `${most} ${width} ${height}`) },
    };
  },
};
