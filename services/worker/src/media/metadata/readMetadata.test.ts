import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MediaTags } from '../exiftool/mediaTags.ts';
import { readMetadata, type PhotoMetadata } from './readMetadata.ts';

const context = { filename: 'photo.jpg', timeZone: 'UTC', uploadedAt: new Date('2026-06-01T00:00:00Z') };
const size = { 'File:ImageWidth': 4000, 'File:ImageHeight': 3000 };

const cases: Record<string, { tags: MediaTags; expected: Partial<PhotoMetadata> }> = {
  'a file without tags says nothing': {
    tags: {},
    expected: { captureTime: undefined, position: undefined, cameraMake: undefined, orientation: 1, width: undefined },
  },
  'camera and exposure are read': {
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
  'blank and zero values are none': {
    tags: { 'IFD0:Model': '   ', 'ExifIFD:FNumber': 0, 'ExifIFD:FocalLength': 'inf', 'ExifIFD:ExposureTime': '' },
    expected: { cameraModel: undefined, apertureFNumber: undefined, focalLength: undefined, exposureTime: undefined },
  },
  'an ISO value may come in a pair': { tags: { 'ExifIFD:ISO': '400 0' }, expected: { isoEquivalent: 400 } },
  'an ISO value may stand in maker notes only': { tags: { 'Nikon:ISO': '0 200' }, expected: { isoEquivalent: 200 } },
  'a model may be a number': { tags: { 'IFD0:Model': 6300 }, expected: { cameraModel: '6300' } },
  'the size is that of the pixels, not what EXIF says': {
    tags: { ...size, 'IFD0:ImageWidth': 9999, 'ExifIFD:ExifImageWidth': 9999 },
    expected: { width: 4000, height: 3000, megapixels: 12 },
  },
  'orientation 6 turns the size': {
    tags: { ...size, 'IFD0:Orientation': 6 },
    expected: { orientation: 6, width: 3000, height: 4000 },
  },
  'orientation 0 counts as 1': {
    tags: { ...size, 'IFD0:Orientation': 0 },
    expected: { orientation: 1, width: 4000, height: 3000 },
  },
  'the orientation of the thumbnail is not that of the photo': {
    tags: { ...size, 'IFD1:Orientation': 6 },
    expected: { orientation: 1 },
  },
  'a position is in degrees with the sign of its hemisphere': {
    tags: { 'Composite:GPSLatitude': -33.45, 'Composite:GPSLongitude': 25.76 },
    expected: { position: { latitude: -33.45, longitude: 25.76 } },
  },
  'empty GPS tags are no position': {
    tags: { 'Composite:GPSLatitude': '', 'Composite:GPSLongitude': '' },
    expected: { position: undefined },
  },
  'zero and zero are no position': {
    tags: { 'Composite:GPSLatitude': 0, 'Composite:GPSLongitude': 0 },
    expected: { position: undefined },
  },
  'a position on the equator is one': {
    tags: { 'Composite:GPSLatitude': 0, 'Composite:GPSLongitude': 9.45 },
    expected: { position: { latitude: 0, longitude: 9.45 } },
  },
  'a position beyond the pole is none': {
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
