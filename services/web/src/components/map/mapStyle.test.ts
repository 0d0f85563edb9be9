import { expect, test } from 'vitest';
import type { Outlines } from './loadOutlines.ts';
import { isTileTemplate, makeOutlineStyle, makeTileStyle } from './mapStyle.ts';

const outlines = {
  land: { type: 'FeatureCollection', features: [] },
  borders: { type: 'MultiLineString', coordinates: [] },
} as const satisfies Outlines;
const colours = { water: 'rgb(1, 2, 3)', land: 'rgb(4, 5, 6)', border: 'rgb(7, 8, 9)' };

test('outlines request no fonts, icons or tiles', () => {
  const style = makeOutlineStyle(outlines, colours);
  expect(style.glyphs).toBeUndefined();
  expect(style.sprite).toBeUndefined();
  expect(JSON.stringify(style)).not.toMatch(/https?:/);
});

test.each([
  ['https://tiles.example/{z}/{x}/{y}.png', true],
  ['https://tiles.example/style.json', false],
])('recognizes %s as a tile template: %s', (address, expected) => {
  expect(isTileTemplate(address)).toBe(expected);
});

test('puts tiles over the outlines and requests them only from the configured server', () => {
  const { sources, layers } = makeTileStyle(outlines, 'https://tiles.example/{z}/{x}/{y}.png', colours);
  expect(layers.map(({ id }) => id)).toEqual(['water', 'land', 'borders', 'tiles']);
  expect(JSON.stringify(sources).match(/https?:[^"]+/g)).toEqual(['https://tiles.example/{z}/{x}/{y}.png']);
});
