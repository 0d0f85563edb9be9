import { expect, it } from 'vitest';
import { gridItem } from '../../lib/items/testing/gridItem.ts';
import { rowColours } from './MediaRow.tsx';

it('paints a row as boxes in the average colours of its pictures, with gaps', () => {
  const items = [gridItem({ placeholder: '1QcSHQRnh493V4dIh4eXh1h4kJUI' }), gridItem()];
  const colours = rowColours({ items, lefts: [0, 204], widths: [200, 100] });
  expect(colours).toMatch(
    /^linear-gradient\(to right, transparent 0px, rgb\(\d+ \d+ \d+\) 0px 200px, transparent 200px, transparent 204px, var\(--surface-hover\) 204px 304px, transparent 304px\)$/,
  );
});
