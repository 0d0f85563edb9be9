import { expect, test } from 'vitest';
import { isTileTemplate, outlineStyle, tileStyle } from './mapStyle.ts';

const colours = { water: 'rgb(1, 2, 3)', land: 'rgb(4, 5, 6)', border: 'rgb(7, 8, 9)' };

test('the outlines ask no server for fonts, icons or tiles', () => {
  const style = outlineStyle(
    { land: { type: 'FeatureCollection', features: [] }, borders: { type: 'MultiLineString', coordinates: [] } },
    colours,
  );
  expect(style.glyphs).toBeUndefined();
  expect(style.sprite).toBeUndefined();
  expect(JSON.stringify(style)).not.toMatch(/https?:/);
});

test.each([
  ['https://tiles.example/{z}/{x}/{y}.png', true],
  ['https://tiles.example/style.json', false],
])('%s is a template of tiles: %s', (address, expected) => {
  expect(isTileTemplate(address)).toBe(expected);
});

test('tiles come from the server that was named alone', () => {
  const { sources } = tileStyle('https://tiles.example/{z}/{x}/{y}.png', colours);
  expect(Object.keys(sources)).toEqual(['tiles']);
});
