import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCaptureTime, type CaptureContext } from './captureTime.ts';
import type { MediaTags } from '../../exiftool/mediaTags.ts';

const taken = { 'ExifIFD:DateTimeOriginal': '2019:06:09 12:57:32' };
const frankfurt = { latitude: 50.05, longitude: 8.57 };

interface Case {
  readonly tags: MediaTags;
  readonly context?: Partial<CaptureContext>;
  /** Local time, UTC, offset in minutes; undefined for no capture time. */
  readonly expected: readonly [string, string, number | undefined] | undefined;
}

const inNewYork = (local: string, utc: string) => [local, utc, undefined] as const;

const cases: Record<string, Case> = {
  'computes the instant in the fallback zone, without an offset, if no zone is known': {
    tags: taken,
    expected: inNewYork('2019-06-09T12:57:32', '2019-06-09T16:57:32.000Z'),
  },
  'truncates a fraction of a second to milliseconds': {
    tags: { ...taken, 'ExifIFD:SubSecTimeOriginal': 835_476 },
    expected: inNewYork('2019-06-09T12:57:32.835', '2019-06-09T16:57:32.835Z'),
  },
  'takes the offset from OffsetTimeOriginal': {
    tags: { ...taken, 'ExifIFD:OffsetTimeOriginal': '+05:30' },
    expected: ['2019-06-09T12:57:32', '2019-06-09T07:27:32.000Z', 330],
  },
  'accepts an offset of zero': {
    tags: { ...taken, 'ExifIFD:OffsetTimeOriginal': '+00:00' },
    expected: ['2019-06-09T12:57:32', '2019-06-09T12:57:32.000Z', 0],
  },
  'ignores blank and impossible offsets': {
    tags: { ...taken, 'ExifIFD:OffsetTimeOriginal': '   :  ', 'IFD0:ModifyDate': '2019:06:09 12:57:32+99:00' },
    expected: inNewYork('2019-06-09T12:57:32', '2019-06-09T16:57:32.000Z'),
  },
  'ignores +00:00 in IPTC, which programs write for an unknown zone': {
    tags: { 'IPTC:DateCreated': '2019:06:09', 'IPTC:TimeCreated': '12:57:32+00:00' },
    expected: inNewYork('2019-06-09T12:57:32', '2019-06-09T16:57:32.000Z'),
  },
  'computes the offset of that day from the position': {
    tags: { 'ExifIFD:DateTimeOriginal': '2019:12:09 12:00:00' },
    context: { position: frankfurt },
    expected: ['2019-12-09T12:00:00', '2019-12-09T11:00:00.000Z', 60],
  },
  'ignores a date of zeros': {
    tags: { 'ExifIFD:DateTimeOriginal': '0000:00:00 00:00:00', 'XMP-xmp:CreateDate': '2005:09:26 21:18:35-08:00' },
    expected: ['2005-09-26T21:18:35', '2005-09-27T05:18:35.000Z', -480],
  },
  'accepts a time without seconds': {
    tags: { 'XMP-xmp:CreateDate': '2019:04:30 12:06+02:00' },
    expected: ['2019-04-30T12:06:00', '2019-04-30T10:06:00.000Z', 120],
  },
  'accepts a date before 1970': {
    tags: { 'ExifIFD:DateTimeOriginal': '1919:05:04 05:59:26' },
    context: { timeZone: 'UTC' },
    expected: ['1919-05-04T05:59:26', '1919-05-04T05:59:26.000Z', undefined],
  },
  'ignores the modification time': {
    tags: { 'IFD0:ModifyDate': '2019:06:09 12:57:32', 'PNG:ModifyDate': '2019:06:09 12:57:32' },
    expected: undefined,
  },
  'prefers a date with a time to a date without one': {
    tags: { 'XMP-photoshop:DateCreated': '2008:03:15', 'XMP-xmp:CreateDate': '2008:03:15 07:44:21' },
    context: { timeZone: 'UTC' },
    expected: ['2008-03-15T07:44:21', '2008-03-15T07:44:21.000Z', undefined],
  },
  'treats a date without a time as noon': {
    tags: { 'XMP-photoshop:DateCreated': '2008-03-15' },
    context: { timeZone: 'UTC' },
    expected: ['2008-03-15T12:00:00', '2008-03-15T12:00:00.000Z', undefined],
  },
  'ignores other text and impossible days': {
    tags: { 'ExifIFD:DateTimeOriginal': '2019:02:30 12:00:00', 'XMP-photoshop:DateCreated': '04 Jan 2013' },
    expected: undefined,
  },
  'ignores a time more than a day after the upload': {
    tags: { 'ExifIFD:DateTimeOriginal': '2031:01:01 00:00:00', 'ExifIFD:CreateDate': '2024:01:01 10:00:00' },
    expected: inNewYork('2024-01-01T10:00:00', '2024-01-01T15:00:00.000Z'),
  },
  "prefers the client's time to the file name": {
    tags: {},
    context: { clientCreationTime: new Date('2020-07-01T12:00:00.000Z'), filename: 'IMG_20180725_163423.jpg' },
    expected: inNewYork('2020-07-01T08:00:00', '2020-07-01T12:00:00.000Z'),
  },
  "keeps the client's offset, regardless of the position": {
    tags: {},
    context: {
      clientCreationTime: new Date('2020-07-01T12:00:00.000Z'),
      clientUtcOffsetMinutes: 330,
      position: frankfurt,
    },
    expected: ['2020-07-01T17:30:00', '2020-07-01T12:00:00.000Z', 330],
  },
  'falls back to the file name': {
    tags: {},
    context: { filename: '2018-04-12 19_24_49.jpg' },
    expected: inNewYork('2018-04-12T19:24:49', '2018-04-12T23:24:49.000Z'),
  },
  'returns no capture time without any tag': { tags: {}, expected: undefined },
  'prefers the CreationDate of a video to the instant of its container': {
    tags: { 'Keys:CreationDate': '2019:07:24 11:25:40+03:00', 'QuickTime:CreateDate': '2019:07:24 08:25:57' },
    expected: ['2019-07-24T11:25:40', '2019-07-24T08:25:40.000Z', 180],
  },
  'converts the UTC instant of a container to the fallback zone': {
    tags: { 'QuickTime:CreateDate': '2020:05:11 14:18:35' },
    expected: inNewYork('2020-05-11T10:18:35', '2020-05-11T14:18:35.000Z'),
  },
  'converts the instant of a container to the zone of the position': {
    tags: { 'QuickTime:CreateDate': '2020:05:11 14:18:35' },
    context: { position: frankfurt },
    expected: ['2020-05-11T16:18:35', '2020-05-11T14:18:35.000Z', 120],
  },
  'accepts the instant of a container in another zone': {
    tags: { 'QuickTime:CreateDate': '2020:05:11 16:18:35+02:00' },
    expected: inNewYork('2020-05-11T10:18:35', '2020-05-11T14:18:35.000Z'),
  },
  "ignores QuickTime's zero date in any notation": {
    tags: { 'QuickTime:CreateDate': '0000:00:00 00:00:00', 'Info:DateTimeOriginal': '1904:01:01 00:00:00Z' },
    expected: undefined,
  },
  'accepts the daylight saving suffix of camcorders': {
    tags: { 'H264:DateTimeOriginal': '2019:04:24 22:24:00+02:00 DST' },
    expected: ['2019-04-24T22:24:00', '2019-04-24T20:24:00.000Z', 120],
  },
  'accepts an AVI date without a time': {
    tags: { 'RIFF:DateCreated': '2020:08:28' },
    context: { timeZone: 'UTC' },
    expected: ['2020-08-28T12:00:00', '2020-08-28T12:00:00.000Z', undefined],
  },
  'uses the GPS time if no tag has the capture time': {
    tags: { 'IFD0:ModifyDate': '2022:01:12 07:30:14', 'Composite:GPSDateTime': '2022:01:12 07:30:14Z' },
    context: { position: { latitude: 40.663, longitude: -3.7637 } },
    expected: ['2022-01-12T08:30:14', '2022-01-12T07:30:14.000Z', 60],
  },
  'ignores the offset of a ModifyDate of another second': {
    tags: {
      'ExifIFD:DateTimeOriginal': '2019:06:06 07:29:51',
      'IFD0:ModifyDate': '2019:06:06 05:15:13',
      'ExifIFD:OffsetTime': '+02:00',
    },
    expected: inNewYork('2019-06-06T07:29:51', '2019-06-06T11:29:51.000Z'),
  },
  'ignores the zero date of a clock': {
    tags: { 'ExifIFD:DateTimeOriginal': '1970:01:01 00:00:00', 'ExifIFD:CreateDate': '1980:01:01 00:00:00' },
    expected: undefined,
  },
  'prefers every other source to the first day of a clock': {
    tags: { 'ExifIFD:DateTimeOriginal': '2000:01:01 00:12:33' },
    context: { filename: 'IMG_20180725_163423.jpg' },
    expected: inNewYork('2018-07-25T16:34:23', '2018-07-25T20:34:23.000Z'),
  },
  'prefers the GPS time to the first day of a clock': {
    tags: { 'ExifIFD:DateTimeOriginal': '1980:01:01 05:00:00', 'Composite:GPSDateTime': '2011:02:03 04:05:06Z' },
    expected: inNewYork('2011-02-02T23:05:06', '2011-02-03T04:05:06.000Z'),
  },
  'accepts the first day of 2000 without another source: people took pictures at midnight': {
    tags: { 'ExifIFD:DateTimeOriginal': '2000:01:01 00:00:00' },
    expected: inNewYork('2000-01-01T00:00:00', '2000-01-01T05:00:00.000Z'),
  },
  'accepts January 1st without a time, entered for a year': {
    tags: { 'XMP-photoshop:DateCreated': '1970:01:01' },
    context: { filename: 'IMG_20180725_163423.jpg', timeZone: 'UTC' },
    expected: ['1970-01-01T12:00:00', '1970-01-01T12:00:00.000Z', undefined],
  },
};

for (const [name, { tags, context, expected }] of Object.entries(cases)) {
  test(name, () => {
    const found = findCaptureTime(tags, {
      filename: 'photo.jpg',
      timeZone: 'America/New_York',
      uploadedAt: new Date('2026-06-01T00:00:00Z'),
      ...context,
    });
    assert.deepEqual(found && [found.localTime, found.takenAt.toISOString(), found.utcOffsetMinutes], expected);
  });
}

test('throws for an unknown fallback time zone', () => {
  const context = { filename: '', timeZone: 'Mars/Olympus', uploadedAt: new Date() };
  assert.throws(() => findCaptureTime(taken, context), RangeError);
});
