import { expect, test } from 'vitest';
import { formatMapView, parseMapView } from './PlacesMap.tsx';

test('parses its own formatted views', () => {
  const view = { latitude: -33.868, longitude: 151.209, zoom: 5.3 };
  expect(parseMapView(formatMapView(view))).toEqual(view);
});

test.each([
  [undefined],
  [''],
  ['1,2'],
  ['1,,3'],
  ['91,0,1'],
  ['0,181,1'],
  ['0,0,23'],
  ['0,0,-1'],
  ['a,b,c'],
  ['1,2,3,4'],
])('rejects %j as a view', (text) => expect(parseMapView(text)).toBeUndefined());
