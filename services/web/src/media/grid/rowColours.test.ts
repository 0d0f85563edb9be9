import { expect, it } from 'vitest';
import type { GridItem } from '../gridItem.ts';
import { rowColours } from './rowColours.ts';

const item = (placeholder: string | undefined): GridItem => ({
  id: '1',
  aspectRatio: 1,
  placeholder,
  kind: 'photo',
  day: '2022-04-03',
  durationSeconds: undefined,
  thumbnailUrl: undefined,
  favourite: false,
  status: 'READY',
});

it('a row is boxes of the colours of its pictures, with nothing between them', () => {
  const items = [item('1QcSHQRnh493V4dIh4eXh1h4kJUI'), item(undefined)];
  const colours = rowColours({ items, lefts: [0, 204], widths: [200, 100] });
  expect(colours).toMatch(
    /^linear-gradient\(to right, transparent 0px, rgb\(\d+ \d+ \d+\) 0px 200px, transparent 200px, transparent 204px, var\(--surface-hover\) 204px 304px, transparent 304px\)$/,
  );
});
