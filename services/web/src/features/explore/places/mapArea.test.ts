import { expect, test } from 'vitest';
import { getBounds, toMapArea } from './mapArea.ts';

test('requests the same area after a small move', () => {
  const area = toMapArea({ west: 1, south: 41, east: 20, north: 52 }, 4.2);
  expect(toMapArea({ west: 1.4, south: 41.3, east: 20.4, north: 52.3 }, 4.6)).toEqual(area);
  expect(area).toEqual({ bounds: '0,33.75,22.5,56.25', zoom: 5 });
});

test('limits the area to the world', () => {
  expect(toMapArea({ west: -200, south: -95, east: 200, north: 89 }, 0.5)).toEqual({
    bounds: '-180,-90,180,90',
    zoom: 1,
  });
});

test('computes bounds around all positions', () => {
  const positions = [
    { latitude: 1, longitude: -2 },
    { latitude: -3, longitude: 4 },
  ];
  expect(getBounds(positions)).toEqual({ west: -2, south: -3, east: 4, north: 1 });
  expect(getBounds([])).toBeUndefined();
});
