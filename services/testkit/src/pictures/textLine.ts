import type { TextLine } from '@hearth/contract/mediaItem.ts';

/** Makes a line of text as OCR returns it, in the upper half of a picture. */
export const textLine = (text: string): TextLine => ({
  text,
  confidence: 0.9,
  corners: [
    { x: 0.1, y: 0.1 },
    { x: 0.9, y: 0.1 },
    { x: 0.9, y: 0.3 },
    { x: 0.1, y: 0.3 },
  ],
});
