import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MediaTags } from '../exiftool/mediaTags.ts';
import { readMetadata, type PhotoMetadata } from './readMetadata.ts';

const context = { filename: 'photo.jpg', timeZone: 'UTC', uploadedAt: new Date('2026-06-01T00:00:00Z') };
const size = { 'File:ImageWidth': 4000, 'File:ImageHeight': 3000 };

const cases: Record<string, { tags: MediaTags; expected: Partial<PhotoMetadata> }> = {
  'returns no values for a file without tags': {
    tags: {},
    expected: { captureTime: undefined, position: undefined, cameraMake: undefined, orientation: 1, width: undefined },
  },
  'reads camera and exposure': {
    tags: {
      'IFD0:Make': ' TestCam ',
      'IFD0:Model': 'ION230\0F\u0001',
      'ExifIFD:ExposureTime': 0.02,
      'ExifIFD:FNumber': 2.8,
      'ExifIFD:FocalLength': '35',
      'ExifIFD:ISO': 400,
    },
    expected: {
      cameraMake: 'TestCam',
      cameraModel: 'ION230',
      exposureTime: 0.02,
      apertureFNumber: 2.8,
      focalLength: 35,
      isoEquivalent: 400,
    },
  },
  'ignores blank and zero values': {
    tags: { 'IFD0:Model': '   ', 'ExifIFD:FNumber': 0, 'ExifIFD:FocalLength': 'inf', 'ExifIFD:ExposureTime': '' },
    expected: { cameraModel: undefined, apertureFNumber: undefined, focalLength: undefined, exposureTime: undefined },
  },
  'reads an ISO value from a pair': { tags: { 'ExifIFD:ISO': '400 0' }, expected: { isoEquivalent: 400 } },
  'reads an ISO value from the maker notes': { tags: { 'Nikon:ISO': '0 200' }, expected: { isoEquivalent: 200 } },
  'accepts a number as the camera model': { tags: { 'IFD0:Model': 6300 }, expected: { cameraModel: '6300' } },
  'returns the size of the pixels, not the EXIF size': {
    tags: { ...size, 'IFD0:ImageWidth': 9999, 'ExifIFD:ExifImageWidth': 9999 },
    expected: { width: 4000, height: 3000, megapixels: 12 },
  },
  'swaps width and height for orientation 6': {
    tags: { ...size, 'IFD0:Orientation': 6 },
    expected: { orientation: 6, width: 3000, height: 4000 },
  },
  'treats orientation 0 as 1': {
    tags: { ...size, 'IFD0:Orientation': 0 },
    expected: { orientation: 1, width: 4000, height: 3000 },
  },
  'ignores the orientation of the thumbnail': {
    tags: { ...size, 'IFD1:Orientation': 6 },
    expected: { orientation: 1 },
  },
  'returns the position in signed degrees': {
    tags: { 'Composite:GPSLatitude': -33.45, 'Composite:GPSLongitude': 25.76 },
    expected: { position: { latitude: -33.45, longitude: 25.76 } },
  },
  'ignores empty GPS tags': {
    tags: { 'Composite:GPSLatitude': '', 'Composite:GPSLongitude': '' },
    expected: { position: undefined },
  },
  'ignores the position 0, 0': {
    tags: { 'Composite:GPSLatitude': 0, 'Composite:GPSLongitude': 0 },
    expected: { position: undefined },
  },
  'accepts a position on the equator': {
    tags: { 'Composite:GPSLatitude': 0, 'Composite:GPSLongitude': 9.45 },
    expected: { position: { latitude: 0, longitude: 9.45 } },
  },
  'ignores a position beyond the pole': {
    tags: { 'Composite:GPSLatitude': 91, 'Composite:GPSLongitude': 10 },
    expected: { position: undefined },
  },
};

for (const [name, { tags, expected }] of Object.entries(cases)) {
  test(name, () => {
    const found = readMetadata(tags, context);
    assert.deepEqual({ ...found, ...expected }, found);
  });
}
