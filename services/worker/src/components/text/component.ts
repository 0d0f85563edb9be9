import { writeItemText } from '@hearth/core/items/itemTexts.ts';
import { textSides } from '@hearth/inference/text/findText.ts';
import { textCheckSides } from '@hearth/inference/text/mayShowText.ts';
import type { Component } from '../../context/component.ts';
import { taskCapabilities } from '../../context/tools.ts';

/** Reads the text in a photo or on a video poster. A fast check first skips pictures without text, which are most. */
export const ocr: Component = {
  name: 'OCR',
  tools: ['inference'],
  capabilities: [taskCapabilities.text],
  previewSizes: textCheckSides,
  onDemandPreviewSizes: textSides,
  run: async ({ inference }, { item, pixels }) => {
    const readSizes = (sides: readonly number[]) => Promise.all(sides.map(pixels));
    const mayShowText = await inference.glanceForText(await readSizes(textCheckSides));
    const lines = mayShowText ? await inference.findText(await readSizes(textSides)) : [];
    return { state: 'DONE', warnings: [], writes: { write: (trx) => writeItemText(trx, item.id, lines) } };
  },
};
