import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DateTime } from 'luxon';
import type { MediaTags } from '../../exiftool/mediaTags.ts';
import { findUtcOffset, getUtcOffset, type Position } from './utcOffset.ts';

const noon = DateTime.utc(2019, 6, 9, 12, 0, 0);
assert.ok(noon.isValid);
const frankfurt = { latitude: 50.05, longitude: 8.57 };
const honolulu = { latitude: 21.3, longitude: -157.85 };
const atlantic = { latitude: 30, longitude: -40 };

const cases: Record<string, { tags?: MediaTags; position?: Position; expected: number | undefined }> = {
  'returns undefined without tags': { expected: undefined },
  'takes the offset of another date with the same second': {
    tags: { 'IFD0:ModifyDate': '2019:06:09 12:00:00', 'ExifIFD:OffsetTime': '+09:00' },
    expected: 540,
  },
  'ignores the offset of a date with another second': {
    tags: { 'IFD0:ModifyDate': '2019:07:01 00:00:00', 'ExifIFD:OffsetTime': '+09:00' },
    expected: undefined,
  },
  "takes the zone from Nikon's maker notes": {
    tags: { 'Nikon:TimeZone': -420, 'Nikon:DaylightSavings': 0 },
    expected: -420,
  },
  "adds Nikon's daylight saving time": { tags: { 'Nikon:TimeZone': -420, 'Nikon:DaylightSavings': 1 }, expected: -360 },
  "computes the offset from the UTC instant in Samsung's trailer": {
    tags: { 'Samsung:TimeStamp': '2019:06:09 04:00:00.058+00:00' },
    expected: 480,
  },
  'accepts a GPS time some seconds old': { tags: { 'Composite:GPSDateTime': '2019:06:09 09:58:58Z' }, expected: 120 },
  'computes an offset in quarters of an hour from the GPS time': {
    tags: { 'Composite:GPSDateTime': '2019:06:09 06:15:00Z' },
    expected: 345,
  },
  'ignores a GPS time far from a quarter of an hour': {
    tags: { 'Composite:GPSDateTime': '2019:06:09 09:50:00Z' },
    expected: undefined,
  },
  'prefers the GPS time to the zone of the position': {
    tags: { 'Composite:GPSDateTime': '2019:06:09 10:59:58Z' },
    position: frankfurt,
    expected: 60,
  },
  'ignores a GPS date that is a day off': {
    tags: { 'Composite:GPSDateTime': '2019:06:10 10:00:00Z' },
    position: frankfurt,
    expected: 120,
  },
  'ignores a GPS date that is a day off and gives a possible offset': {
    tags: { 'Composite:GPSDateTime': '2019:06:08 22:00:00Z' },
    position: honolulu,
    expected: -600,
  },
  'ignores GPS midnight, which receivers without a fix write': {
    tags: { 'Composite:GPSDateTime': '2019:06:09 00:00:00Z' },
    expected: undefined,
  },
  'ignores a GPS date without a time': { tags: { 'Composite:GPSDateTime': '2019:06:09' }, expected: undefined },
  'computes the offset from the same instant in UTC in XMP': {
    tags: { 'XMP-exif:DateTimeOriginal': '2019:06:09 17:00:00Z' },
    expected: -300,
  },
  'takes the offset of an XMP date with the same second': {
    tags: { 'XMP-xmp:CreateDate': '2019:06:09 12:00:00+02:00' },
    expected: 120,
  },
  'ignores an XMP date with another second': {
    tags: { 'XMP-xmp:CreateDate': '2019:06:09 12:00:01+02:00' },
    expected: undefined,
  },
  'ignores UTC in XMP, which editors write for an unknown zone': {
    tags: { 'XMP-xmp:CreateDate': '2019:06:09 12:00:00Z', 'XMP-exif:DateTimeOriginal': '2019:06:09 12:00:00Z' },
    expected: undefined,
  },
  'computes the offset of that day from the position': { position: frankfurt, expected: 120 },
  'computes the offset on the high seas': { position: atlantic, expected: -180 },
};

for (const [name, { tags = {}, position, expected }] of Object.entries(cases)) {
  test(name, () => assert.equal(findUtcOffset(tags, noon, position), expected));
}

test('rounds historical offsets to whole minutes', () => {
  const wall = DateTime.utc(1890, 1, 1);
  assert.ok(wall.isValid);
  assert.equal(getUtcOffset('Europe/Amsterdam', wall), 18);
});
