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
  'without any zone the fallback zone gives the instant and no offset': {
    tags: taken,
    expected: inNewYork('2019-06-09T12:57:32', '2019-06-09T16:57:32.000Z'),
  },
  'a fraction of a second is kept to the millisecond': {
    tags: { ...taken, 'ExifIFD:SubSecTimeOriginal': 835_476 },
    expected: inNewYork('2019-06-09T12:57:32.835', '2019-06-09T16:57:32.835Z'),
  },
  'OffsetTimeOriginal is the offset': {
    tags: { ...taken, 'ExifIFD:OffsetTimeOriginal': '+05:30' },
    expected: ['2019-06-09T12:57:32', '2019-06-09T07:27:32.000Z', 330],
  },
  'an offset of zero is an offset': {
    tags: { ...taken, 'ExifIFD:OffsetTimeOriginal': '+00:00' },
    expected: ['2019-06-09T12:57:32', '2019-06-09T12:57:32.000Z', 0],
  },
  'blank and impossible offsets are none': {
    tags: { ...taken, 'ExifIFD:OffsetTimeOriginal': '   :  ', 'IFD0:ModifyDate': '2019:06:09 12:57:32+99:00' },
    expected: inNewYork('2019-06-09T12:57:32', '2019-06-09T16:57:32.000Z'),
  },
  "IPTC's +00:00 is what programs write that know no zone": {
    tags: { 'IPTC:DateCreated': '2019:06:09', 'IPTC:TimeCreated': '12:57:32+00:00' },
    expected: inNewYork('2019-06-09T12:57:32', '2019-06-09T16:57:32.000Z'),
  },
  'the position gives the offset of that day': {
    tags: { 'ExifIFD:DateTimeOriginal': '2019:12:09 12:00:00' },
    context: { position: frankfurt },
    expected: ['2019-12-09T12:00:00', '2019-12-09T11:00:00.000Z', 60],
  },
  'all zeros are no date': {
    tags: { 'ExifIFD:DateTimeOriginal': '0000:00:00 00:00:00', 'XMP-xmp:CreateDate': '2005:09:26 21:18:35-08:00' },
    expected: ['2005-09-26T21:18:35', '2005-09-27T05:18:35.000Z', -480],
  },
  'seconds may be missing': {
    tags: { 'XMP-xmp:CreateDate': '2019:04:30 12:06+02:00' },
    expected: ['2019-04-30T12:06:00', '2019-04-30T10:06:00.000Z', 120],
  },
  'a date before 1970 is a date': {
    tags: { 'ExifIFD:DateTimeOriginal': '1919:05:04 05:59:26' },
    context: { timeZone: 'UTC' },
    expected: ['1919-05-04T05:59:26', '1919-05-04T05:59:26.000Z', undefined],
  },
  'ignores the modification time': {
    tags: { 'IFD0:ModifyDate': '2019:06:09 12:57:32', 'PNG:ModifyDate': '2019:06:09 12:57:32' },
    expected: undefined,
  },
  'a date with a time goes before a mere date': {
    tags: { 'XMP-photoshop:DateCreated': '2008:03:15', 'XMP-xmp:CreateDate': '2008:03:15 07:44:21' },
    context: { timeZone: 'UTC' },
    expected: ['2008-03-15T07:44:21', '2008-03-15T07:44:21.000Z', undefined],
  },
  'a mere date counts as noon': {
    tags: { 'XMP-photoshop:DateCreated': '2008-03-15' },
    context: { timeZone: 'UTC' },
    expected: ['2008-03-15T12:00:00', '2008-03-15T12:00:00.000Z', undefined],
  },
  'words and impossible days are no dates': {
    tags: { 'ExifIFD:DateTimeOriginal': '2019:02:30 12:00:00', 'XMP-photoshop:DateCreated': '04 Jan 2013' },
    expected: undefined,
  },
  'a time more than a day after the upload is a wrong clock': {
    tags: { 'ExifIFD:DateTimeOriginal': '2031:01:01 00:00:00', 'ExifIFD:CreateDate': '2024:01:01 10:00:00' },
    expected: inNewYork('2024-01-01T10:00:00', '2024-01-01T15:00:00.000Z'),
  },
  'the file goes before the client, the client before the name': {
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
  'the name is the last resort': {
    tags: {},
    context: { filename: '2018-04-12 19_24_49.jpg' },
    expected: inNewYork('2018-04-12T19:24:49', '2018-04-12T23:24:49.000Z'),
  },
  'returns no capture time without any tag': { tags: {}, expected: undefined },
  "a video's CreationDate goes before the instant of its container": {
    tags: { 'Keys:CreationDate': '2019:07:24 11:25:40+03:00', 'QuickTime:CreateDate': '2019:07:24 08:25:57' },
    expected: ['2019-07-24T11:25:40', '2019-07-24T08:25:40.000Z', 180],
  },
  'the instant of a container is UTC, shown in the fallback zone': {
    tags: { 'QuickTime:CreateDate': '2020:05:11 14:18:35' },
    expected: inNewYork('2020-05-11T10:18:35', '2020-05-11T14:18:35.000Z'),
  },
  'with a position it is shown where it was taken': {
    tags: { 'QuickTime:CreateDate': '2020:05:11 14:18:35' },
    context: { position: frankfurt },
    expected: ['2020-05-11T16:18:35', '2020-05-11T14:18:35.000Z', 120],
  },
  'an instant of a container may be written in another zone': {
    tags: { 'QuickTime:CreateDate': '2020:05:11 16:18:35+02:00' },
    expected: inNewYork('2020-05-11T10:18:35', '2020-05-11T14:18:35.000Z'),
  },
  "ignores QuickTime's zero date in any notation": {
    tags: { 'QuickTime:CreateDate': '0000:00:00 00:00:00', 'Info:DateTimeOriginal': '1904:01:01 00:00:00Z' },
    expected: undefined,
  },
  'a camcorder may say that it is summer': {
    tags: { 'H264:DateTimeOriginal': '2019:04:24 22:24:00+02:00 DST' },
    expected: ['2019-04-24T22:24:00', '2019-04-24T20:24:00.000Z', 120],
  },
  'an AVI may tell a mere day': {
    tags: { 'RIFF:DateCreated': '2020:08:28' },
    context: { timeZone: 'UTC' },
    expected: ['2020-08-28T12:00:00', '2020-08-28T12:00:00.000Z', undefined],
  },
  'the satellites tell the time where no clock does': {
    tags: { 'IFD0:ModifyDate': '2022:01:12 07:30:14', 'Composite:GPSDateTime': '2022:01:12 07:30:14Z' },
    context: { position: { latitude: 40.663, longitude: -3.7637 } },
    expected: ['2022-01-12T08:30:14', '2022-01-12T07:30:14.000Z', 60],
  },
  "an offset of ModifyDate is not the shutter's": {
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
  'on the first day of a clock every other witness goes before': {
    tags: { 'ExifIFD:DateTimeOriginal': '2000:01:01 00:12:33' },
    context: { filename: 'IMG_20180725_163423.jpg' },
    expected: inNewYork('2018-07-25T16:34:23', '2018-07-25T20:34:23.000Z'),
  },
  'the satellites too': {
    tags: { 'ExifIFD:DateTimeOriginal': '1980:01:01 05:00:00', 'Composite:GPSDateTime': '2011:02:03 04:05:06Z' },
    expected: inNewYork('2011-02-02T23:05:06', '2011-02-03T04:05:06.000Z'),
  },
  'and without one it is a date: people took pictures at midnight of 2000': {
    tags: { 'ExifIFD:DateTimeOriginal': '2000:01:01 00:00:00' },
    expected: inNewYork('2000-01-01T00:00:00', '2000-01-01T05:00:00.000Z'),
  },
  'a mere year that a person wrote stays': {
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
