import { writeItemText } from '@hearth/core/db/items/itemTexts.ts';
import type { Component } from '../context/component.ts';

/** Stands for a component that reads text: writes the name of a picture's strongest colour as the text of the item. */
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
