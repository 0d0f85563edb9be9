import { expect, test } from 'vitest';
import { formatExposure, formatCameraName } from './camera.ts';

test.each([
  ['SONY', 'ILCE-7M3', 'SONY ILCE-7M3'],
  ['Canon', 'Canon EOS 6D', 'Canon EOS 6D'],
  ['NIKON CORPORATION', 'NIKON D90', 'NIKON D90'],
  [undefined, 'Pixel 8', 'Pixel 8'],
  ['Apple', undefined, 'Apple'],
  [undefined, undefined, undefined],
])('names the make once: %s, %s', (cameraMake, cameraModel, name) => {
  expect(formatCameraName({ cameraMake, cameraModel })).toBe(name);
});

test.each([
  [
    'everything',
    { apertureFNumber: 2.8, exposureTime: 0.004, focalLength: 50, isoEquivalent: 100 },
    'en',
    ['f/2.8', '1/250 s', '50 mm', 'ISO 100'],
  ],
  ['decimals in the notation of the language', { apertureFNumber: 1.78, focalLength: 6.86 }, 'de', ['f/1,8', '6,9 mm']],
  ['a short time as a fraction', { exposureTime: 1 / 8000 }, 'en', ['1/8000 s']],
  ['a fraction that EXIF rounded', { exposureTime: 0.016666 }, 'en', ['1/60 s']],
  ['a time above 0.3 s as a decimal', { exposureTime: 0.4 }, 'en', ['0.4 s']],
  ['a long exposure in seconds', { exposureTime: 30 }, 'en', ['30 s']],
  ['a high sensitivity without a separator', { isoEquivalent: 12_800 }, 'en', ['ISO 12800']],
  ['zeros from a lens without contacts', { apertureFNumber: 0, focalLength: 0 }, 'en', []],
  ['nothing', {}, 'en', []],
])('formats an exposure like photographers do: %s', (_, exposure, language, parts) => {
  expect(formatExposure(exposure, language)).toEqual(parts);
});
