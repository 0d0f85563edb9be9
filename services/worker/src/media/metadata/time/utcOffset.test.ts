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
  'the offset of another date of the same second counts': {
    tags: { 'IFD0:ModifyDate': '2019:06:09 12:00:00', 'ExifIFD:OffsetTime': '+09:00' },
    expected: 540,
  },
  'the offset of a date of another second does not': {
    tags: { 'IFD0:ModifyDate': '2019:07:01 00:00:00', 'ExifIFD:OffsetTime': '+09:00' },
    expected: undefined,
  },
  "Nikon's zone is one": { tags: { 'Nikon:TimeZone': -420, 'Nikon:DaylightSavings': 0 }, expected: -420 },
  "Nikon's summer comes on top": { tags: { 'Nikon:TimeZone': -420, 'Nikon:DaylightSavings': 1 }, expected: -360 },
  "Samsung's trailer has the same instant in UTC": {
    tags: { 'Samsung:TimeStamp': '2019:06:09 04:00:00.058+00:00' },
    expected: 480,
  },
  'a GPS time some seconds old counts': { tags: { 'Composite:GPSDateTime': '2019:06:09 09:58:58Z' }, expected: 120 },
  'a GPS time shows a quarter of an hour': { tags: { 'Composite:GPSDateTime': '2019:06:09 06:15:00Z' }, expected: 345 },
  'a GPS time far from a quarter does not': {
    tags: { 'Composite:GPSDateTime': '2019:06:09 09:50:00Z' },
    expected: undefined,
  },
  'a GPS time goes before the zone of the position': {
    tags: { 'Composite:GPSDateTime': '2019:06:09 10:59:58Z' },
    position: frankfurt,
    expected: 60,
  },
  'a GPS date that is a day off does not win': {
    tags: { 'Composite:GPSDateTime': '2019:06:10 10:00:00Z' },
    position: frankfurt,
    expected: 120,
  },
  'not even where the wrong day is a possible offset': {
    tags: { 'Composite:GPSDateTime': '2019:06:08 22:00:00Z' },
    position: honolulu,
    expected: -600,
  },
  'GPS midnight is a receiver without a fix': {
    tags: { 'Composite:GPSDateTime': '2019:06:09 00:00:00Z' },
    expected: undefined,
  },
  'a GPS date without a time is none': { tags: { 'Composite:GPSDateTime': '2019:06:09' }, expected: undefined },
  'XMP may write the same instant in UTC': {
    tags: { 'XMP-exif:DateTimeOriginal': '2019:06:09 17:00:00Z' },
    expected: -300,
  },
  'XMP may have the zone of the same clock': {
    tags: { 'XMP-xmp:CreateDate': '2019:06:09 12:00:00+02:00' },
    expected: 120,
  },
  'an XMP date of another second says nothing': {
    tags: { 'XMP-xmp:CreateDate': '2019:06:09 12:00:01+02:00' },
    expected: undefined,
  },
  'the UTC of an editor is what it writes that knows no zone': {
    tags: { 'XMP-xmp:CreateDate': '2019:06:09 12:00:00Z', 'XMP-exif:DateTimeOriginal': '2019:06:09 12:00:00Z' },
    expected: undefined,
  },
  'the position gives the offset of that day': { position: frankfurt, expected: 120 },
  'the high seas have one too': { position: atlantic, expected: -180 },
};

for (const [name, { tags = {}, position, expected }] of Object.entries(cases)) {
  test(name, () => assert.equal(findUtcOffset(tags, noon, position), expected));
}

test('rounds historical offsets to whole minutes', () => {
  const wall = DateTime.utc(1890, 1, 1);
  assert.ok(wall.isValid);
  assert.equal(getUtcOffset('Europe/Amsterdam', wall), 18);
});
