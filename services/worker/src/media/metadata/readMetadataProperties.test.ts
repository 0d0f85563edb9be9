import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '@hearth/testkit/run/fastCheck.ts';
import { mediaItemCategories } from '@hearth/contract/vocabulary.ts';
import { dateSources } from './time/dateSources.ts';
import { readArguments, videoReadArguments, type MediaTags } from '../exiftool/mediaTags.ts';
import { readMetadata, type MetadataContext } from './readMetadata.ts';

const uploadedAt = new Date('2026-06-01T00:00:00Z');
const zones = [
  'UTC',
  'America/New_York',
  'Asia/Kathmandu',
  'Pacific/Kiritimati',
  'Europe/Amsterdam',
  'Australia/Lord_Howe',
];

const context = (values: Partial<MetadataContext> = {}): MetadataContext => ({
  filename: 'photo.jpg',
  timeZone: 'UTC',
  uploadedAt,
  ...values,
});

/** Tags that influence the result, by group. */
const decisiveTagLines = [
  'File:FileType File:ImageWidth File:ImageHeight IFD0:ImageWidth IFD0:ImageHeight IFD0:SubfileType SubIFD:SubfileType',
  'SubIFD:ImageWidth SubIFD:ImageHeight SubIFD:DefaultCropSize ExifIFD:ExifImageWidth ExifIFD:ExifImageHeight',
  'IFD0:Orientation QuickTime:Rotation QuickTime:Mirroring Track1:HandlerType Track1:ImageWidth Track1:ImageHeight',
  'Track1:SourceImageWidth Track1:SourceImageHeight Track1:MatrixStructure QuickTime:MatrixStructure Track1:VideoFrameRate',
  'QuickTime:Duration Track1:TrackDuration Keys:AndroidCaptureFPS Composite:GPSLatitude Composite:GPSLongitude',
  'IFD0:Make IFD0:Model ExifIFD:FocalLength ExifIFD:FNumber ExifIFD:ExposureTime ExifIFD:ISO ExifIFD:CustomRendered',
  'ExifIFD:UserComment ExifIFD:SubSecTimeOriginal ExifIFD:OffsetTimeOriginal ExifIFD:OffsetTime IFD0:ModifyDate',
  'Nikon:TimeZone Nikon:DaylightSavings Samsung:TimeStamp',
].flatMap((line) => line.split(' '));
const decisiveTags = [...decisiveTagLines, ...dateSources.flatMap(({ names }) => Object.values(names))];
const requestedTags = [...readArguments, ...videoReadArguments].map((argument) => argument.replace(/^-/, ''));

const date = fc
  .tuple(fc.integer({ min: -5, max: 10_005 }), fc.nat(14), fc.nat(33), fc.nat(26), fc.nat(62), fc.nat(62))
  .map(([year, ...rest]) => [String(year).padStart(4, '0')].concat(rest.map((part) => String(part).padStart(2, '0'))))
  .map(([year, month, day, hour, minute, second]) => `${year}:${month}:${day} ${hour}:${minute}:${second}`);
const offset = fc.constantFrom('', 'Z', '+00:00', '-08:00', '+14:00', '+99:99', ' DST', '+02:00 DST', '.123456789');
const arbitraryValue = fc.oneof(
  fc.tuple(date, offset).map((parts) => parts.join('')),
  fc.constantFrom(
    'HEIC',
    'DNG',
    'MP4',
    'WEBM',
    'JPEG',
    'vide',
    '0 1 0 -1 0 0 0 0 1',
    '',
    ' ',
    '\0',
    'undef',
    'inf',
    '-inf',
    'nan',
  ),
  fc.constantFrom(0, -1, -0, 1e308, -1e308, 2 ** 31, 2 ** 53, 0.1, 6, 240, Number.NaN, Infinity),
  fc.double(),
  fc.integer(),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.anything(),
  fc.constant('9'.repeat(100_000)),
);
const tagName = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...decisiveTags) },
  fc
    .tuple(fc.constantFrom('XMP-exif', 'Track2', 'SubIFD1', 'RIFF', 'IPTC'), fc.constantFrom(...requestedTags))
    .map(([a, b]) => `${a}:${b}`),
);
const tags: fc.Arbitrary<MediaTags> = fc
  .array(fc.tuple(tagName, arbitraryValue), { minLength: 20, maxLength: 60, size: 'max' })
  .map(Object.fromEntries);

const assertInRange = (value: number | undefined, min: number, max: number): void =>
  assert.ok(value === undefined || (value >= min && value <= max), String(value));

test('returns values that fit into the database for any tags', () => {
  const property = fc.property(
    tags,
    fc.string({ maxLength: 100 }),
    fc.constantFrom(...zones),
    fc.option(fc.date({ min: new Date('1800-01-01'), max: new Date('9998-01-01'), noInvalidDate: true })),
    fc.boolean(),
    (found, filename, timeZone, client, hasMotionVideo) => {
      const result = readMetadata(
        found,
        context({ filename, timeZone, clientCreationTime: client ?? undefined, hasMotionVideo }),
      );
      const { captureTime, position, width, height, orientation } = result;
      if (captureTime) {
        assert.match(captureTime.localTime, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?$/);
        assert.ok(captureTime.takenAt.getTime() <= uploadedAt.getTime() + 24 * 60 * 60 * 1_000);
        assert.ok(captureTime.takenAt.getUTCFullYear() >= 1799);
        assertInRange(captureTime.utcOffsetMinutes, -14 * 60, 14 * 60);
      }
      assertInRange(position?.latitude, -90, 90);
      assertInRange(position?.longitude, -180, 180);
      for (const side of [width, height]) {
        assertInRange(side, 1, 2 ** 31 - 1);
        assert.ok(side === undefined || Number.isInteger(side));
      }
      assert.ok(Number.isInteger(orientation) && orientation >= 1 && orientation <= 8);
      for (const value of [result.focalLength, result.apertureFNumber, result.exposureTime, result.isoEquivalent]) {
        assertInRange(value, 0, 1e8);
      }
      assertInRange(result.fps, 0.1, 960);
      assertInRange(result.duration, 0.001, 4e7);
      assert.ok(mediaItemCategories.includes(result.category));
      for (const text of [result.cameraMake, result.cameraModel])
        assert.ok(!text?.includes('\0') && (text?.length ?? 0) <= 200);
    },
  );
  fc.assert(property, { numRuns: 3_000 });
});

const realDate = fc
  .date({ min: new Date('1981-01-01'), max: new Date('2026-05-01'), noInvalidDate: true })
  .filter((day) => !(day.getUTCFullYear() === 2000 && day.getUTCMonth() === 0 && day.getUTCDate() === 1));
const toTagDate = (day: Date): string => day.toISOString().slice(0, 19).replace('T', ' ').replaceAll('-', ':');

test('takes the capture time from the earlier of two tags in the order of precedence', () => {
  const sources = dateSources.filter(({ names: { time }, isUtc }) => time === undefined && !isUtc);
  const property = fc.property(
    fc.subarray(sources, { minLength: 2, maxLength: 2 }),
    realDate,
    realDate,
    (pair, a, b) => {
      const [first, second] = pair.map(({ names: each }) => each.date);
      const captureTime = readMetadata({ [first!]: toTagDate(a), [second!]: toTagDate(b) }, context()).captureTime;
      assert.ok(captureTime);
      assert.equal(captureTime.source, first);
      assert.equal(captureTime.localTime, a.toISOString().slice(0, 19));
    },
  );
  fc.assert(property, { numRuns: 500 });
});

test('returns a local time, instant and offset that agree', () => {
  const property = fc.property(
    fc.constantFrom(...dateSources.map(({ names: each }) => each.date)),
    realDate,
    fc.constantFrom('', 'Z', '+05:30', '-08:00', '+14:00'),
    fc.option(fc.tuple(fc.double({ min: -90, max: 90, noNaN: true }), fc.double({ min: -180, max: 180, noNaN: true }))),
    (name, day, zone, position) => {
      const positionTags = position && { 'Composite:GPSLatitude': position[0], 'Composite:GPSLongitude': position[1] };
      const captureTime = readMetadata({ ...positionTags, [name]: toTagDate(day) + zone }, context()).captureTime;
      assert.ok(captureTime);
      const wall = Date.parse(`${captureTime.localTime}Z`);
      assert.equal(wall - (captureTime.utcOffsetMinutes ?? 0) * 60_000, captureTime.takenAt.getTime());
    },
  );
  fc.assert(property, { numRuns: 500 });
});

test('does not lose a capture time if the upload is later', () => {
  const property = fc.property(tags, fc.nat(3_000), (found, days) => {
    const early = readMetadata(found, context()).captureTime;
    const later = new Date(uploadedAt.getTime() + days * 24 * 60 * 60 * 1_000);
    assert.ok(early === undefined || readMetadata(found, context({ uploadedAt: later })).captureTime !== undefined);
  });
  fc.assert(property, { numRuns: 500 });
});

test('swaps width and height for orientations 5 to 8 only', () => {
  const sides = fc.integer({ min: 1, max: 20_000 });
  const property = fc.property(sides, sides, fc.integer({ min: 1, max: 8 }), (width, height, orientation) => {
    const size = { 'File:FileType': 'JPEG', 'File:ImageWidth': width, 'File:ImageHeight': height };
    const found = readMetadata({ ...size, 'IFD0:Orientation': orientation }, context());
    assert.equal(found.width! * found.height!, width * height);
    assert.equal(found.width, orientation >= 5 ? height : width);
  });
  fc.assert(property, { numRuns: 300 });
});
