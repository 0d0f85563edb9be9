import { expect, test } from 'vitest';
import { cameraName } from './cameraName.ts';

test.each([
  ['SONY', 'ILCE-7M3', 'SONY ILCE-7M3'],
  ['Canon', 'Canon EOS 6D', 'Canon EOS 6D'],
  ['NIKON CORPORATION', 'NIKON D90', 'NIKON D90'],
  [undefined, 'Pixel 8', 'Pixel 8'],
  ['Apple', undefined, 'Apple'],
  [undefined, undefined, undefined],
])('a camera has its make once: %s, %s', (cameraMake, cameraModel, name) => {
  expect(cameraName({ cameraMake, cameraModel })).toBe(name);
});
