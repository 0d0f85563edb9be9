import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareMedia, type Uploaded } from './compareMedia.ts';
import type { ExpectedMedia } from '@hearth/testkit/mediaSet/expectedMedia.ts';
import type { Picture, Shown } from './shown.ts';

const item = {
  mimeType: 'image/jpeg',
  status: 'READY',
  mediaItemType: 'PHOTO',
  mediaItemCategory: 'DEFAULT',
  width: 4_000,
  height: 3_000,
  creationTime: '2020-05-24T09:55:21.000Z',
  localTime: '2020-05-24T11:55:21.000',
  utcOffset: '+02:00',
  latitude: 59.84083,
  longitude: 30.51,
  cameraMake: 'SAMSUNG',
  focalLength: 1.2,
  createdAt: '2026-01-01T00:00:00.000Z',
  processing: [],
} as unknown as Shown['item'];

const [grey, black] = [200, 20].map((value) => Buffer.alloc(48, value).toString('base64')) as [string, string];

const makePicture = (size: Partial<Picture>): Picture => ({
  bytes: Buffer.alloc(0),
  mimeType: 'image/jpeg',
  width: 1_440,
  height: 1_080,
  frames: 1,
  profileName: 'Display P3',
  miniature: grey,
  ...size,
});

const shown: Shown = {
  item,
  isListed: true,
  originalSha256: 'aa',
  thumbnail: makePicture({ width: 320, height: 240 }),
  preview: makePicture({}),
  poster: undefined,
  motionType: undefined,
  place: { countryCode: 'FI', state: 'Uusimaa', city: null, town: 'Helsinki', postcode: '00100' },
};

const uploaded: Uploaded = { status: 201, shown, sha256: 'aa', hasIdOfDuplicates: true, isRgb: true, reference: grey };

const expected: ExpectedMedia = {
  outcome: 'READY',
  mimeType: 'image/heic',
  mimeTypeAccepts: ['image/jpeg'],
  type: 'PHOTO',
  category: 'DEFAULT',
  width: 4_000,
  height: 3_000,
  captureTime: '2020-05-24T11:55:21.5',
  captureTimeUtc: '2020-05-24T09:55:21Z',
  utcOffset: '+02:00',
  latitude: 59.8409,
  longitude: 30.51,
  cameraMake: 'SAMSUNG',
  focalLength: 1.208,
  iccProfile: 'Display P3',
  animated: false,
  country: 'FI',
  stateRegex: 'Uusimaa',
  townRegex: 'Hels',
  postcodeRegex: '^001',
  sameBytesAs: ['other.jpg'],
};

const listWrongFields = (of: ExpectedMedia, found: Uploaded): string[] =>
  compareMedia(of, found).flatMap(({ field, agrees }) => (agrees ? [] : [field]));
const changeItem = (changes: Partial<Shown['item']>): Uploaded => ({
  ...uploaded,
  shown: { ...shown, item: { ...item, ...changes } },
});
const changeShown = (changes: Partial<Shown>): Uploaded => ({ ...uploaded, shown: { ...shown, ...changes } });

test('accepts every value within the tolerances of the manifest', () => {
  assert.deepEqual(listWrongFields(expected, uploaded), []);
  assert.equal(compareMedia(expected, uploaded).length, 27);
});

const faults: readonly (readonly [wrong: readonly string[], found: Uploaded])[] = [
  [['outcome'], { ...uploaded, status: 400, shown: undefined }],
  [['outcome'], { ...uploaded, status: 500, shown: undefined }],
  [['original'], { ...uploaded, sha256: 'bb' }],
  [['sameBytesAs'], { ...uploaded, hasIdOfDuplicates: false }],
  [['mimeType'], changeItem({ mimeType: 'image/png' })],
  [['category'], changeItem({ mediaItemCategory: 'LIVE' })],
  [['width', 'thumbnail', 'preview'], changeItem({ width: 3_900 })],
  [['captureTime'], changeItem({ localTime: '2020-05-24T11:55:22.000' })],
  [['captureTimeUtc'], changeItem({ creationTime: '2020-05-24T10:55:21.000Z' })],
  [['captureTime', 'captureTimeUtc'], changeItem({ createdAt: item.creationTime })],
  [['utcOffset'], changeItem({ utcOffset: '+01:00' })],
  [['latitude'], changeItem({ latitude: 59.8412 })],
  [['longitude'], changeItem({ longitude: undefined })],
  [['cameraMake'], changeItem({ cameraMake: 'Samsung' })],
  [['focalLength'], changeItem({ focalLength: 1.23 })],
  [['thumbnail'], changeShown({ thumbnail: makePicture({ width: 240, height: 320 }) })],
  [['thumbnail', 'thumbnail appearance'], changeShown({ thumbnail: undefined })],
  [['thumbnail appearance'], changeShown({ thumbnail: makePicture({ width: 320, height: 240, miniature: black }) })],
  [['preview appearance'], changeShown({ preview: makePicture({ miniature: black }) })],
  [['preview'], changeShown({ preview: makePicture({ width: 1_080, height: 1_440 }) })],
  [['iccProfile'], changeShown({ preview: makePicture({ profileName: undefined }) })],
  [['animated'], changeShown({ preview: makePicture({ frames: 12 }) })],
  [['in lists'], changeShown({ isListed: false })],
  [
    ['damaged'],
    changeItem({ processing: [{ component: 'METADATA', state: 'DONE', attempts: 1, warnings: ['DAMAGED'] }] }),
  ],
  [['country', 'state', 'town', 'postcode'], changeShown({ place: undefined })],
];

for (const [wrong, found] of faults) {
  test(`finds a fault in ${wrong.join(', ')}`, () => {
    assert.deepEqual(listWrongFields(expected, found).toSorted(), wrong.toSorted());
  });
}

test('ignores uncertain values, and rejects a capture time that must be missing', () => {
  const moved = changeItem({ width: 3_900, latitude: 0 });
  assert.deepEqual(
    listWrongFields({ ...expected, uncertain: ['width', 'latitude', 'thumbnail', 'preview'] }, moved),
    [],
  );
  assert.deepEqual(listWrongFields({ outcome: 'READY', captureTime: null }, uploaded), ['captureTime']);
  const undated = changeItem({ createdAt: item.creationTime });
  assert.deepEqual(listWrongFields({ outcome: 'READY', captureTime: null }, undated), []);
  assert.deepEqual(
    listWrongFields({ outcome: 'READY', captureTime: null, captureTimeFromName: '2020-05-24' }, undated),
    ['captureTimeFromName'],
  );
});

const makeFailed = (reason?: 'CORRUPT' | 'TOO_LARGE' | 'INTERNAL'): Uploaded =>
  changeItem({
    status: 'FAILED',
    processing: [{ component: 'PREVIEW_THUMBNAIL', state: 'FAILED', attempts: 1, reason }],
  });

const box = (type: string, ...content: readonly Buffer[]): Buffer => {
  const size = Buffer.alloc(4);
  const body = Buffer.concat(content);
  size.writeUInt32BE(8 + body.length);
  return Buffer.concat([size, Buffer.from(type), body]);
};

/** An MP4 with only the boxes that `judge` reads. */
const makeMp4 = (seconds: number, codec = 'avc1'): Picture => {
  const header = Buffer.alloc(100);
  header.writeUInt32BE(1_000, 12);
  header.writeUInt32BE(1_000 * seconds, 16);
  const entries = box('stsd', Buffer.alloc(8), box(codec, Buffer.alloc(78)));
  const track = box('trak', box('mdia', box('minf', box('stbl', entries))));
  const bytes = Buffer.concat([box('ftyp', Buffer.from('isom')), box('moov', box('mvhd', header), track), box('mdat')]);
  return makePicture({ mimeType: 'video/mp4', width: 0, height: 0, frames: 2, bytes });
};

const makePlayed = (changes: Partial<Shown>): Uploaded => {
  const { shown: base } = changeItem({ mediaItemType: 'VIDEO', durationSeconds: 10.15 });
  const preview = makeMp4(10);
  return { ...uploaded, shown: { ...base!, poster: makePicture({}), preview, ...changes } };
};

test('requires a failure reason, and the named one if the manifest has it', () => {
  assert.deepEqual(listWrongFields({ outcome: 'FAILED' }, makeFailed('CORRUPT')), []);
  assert.deepEqual(listWrongFields({ outcome: 'FAILED' }, makeFailed('INTERNAL')), ['has a reason']);
  assert.deepEqual(listWrongFields({ outcome: 'FAILED', reason: 'TOO_LARGE' }, makeFailed('TOO_LARGE')), []);
  assert.deepEqual(listWrongFields({ outcome: 'FAILED', reason: 'TOO_LARGE' }, makeFailed('CORRUPT')), ['reason']);
});

test('requires a poster and a playable preview for a video', () => {
  const video: ExpectedMedia = { outcome: 'READY', type: 'VIDEO', width: 4_000, height: 3_000, durationSeconds: 10 };
  assert.deepEqual(listWrongFields(video, makePlayed({})), []);
  assert.deepEqual(listWrongFields(video, makePlayed({ poster: undefined })), ['poster', 'poster appearance']);
  assert.deepEqual(listWrongFields(video, makePlayed({ preview: undefined })), [
    'preview',
    'codec of the preview',
    'length of the preview',
  ]);
  assert.deepEqual(listWrongFields(video, makePlayed({ preview: makeMp4(10, 'hvc1') })), ['codec of the preview']);
  assert.deepEqual(listWrongFields(video, makePlayed({ preview: makeMp4(5) })), ['length of the preview']);
  assert.deepEqual(listWrongFields({ ...video, durationSeconds: 9 }, makePlayed({})), ['durationSeconds']);
});

test('lists the two halves of a live photo as one item', () => {
  const half: ExpectedMedia = { outcome: 'READY', contentIdentifier: 'A', pairedWith: 'IMG_1.MOV' };
  assert.deepEqual(listWrongFields(half, uploaded), ['pairedWith']);
  assert.deepEqual(listWrongFields(half, changeShown({ motionType: 'video/mp4' })), []);
  const video = changeItem({ mediaItemType: 'VIDEO' }).shown!;
  const pictures = { poster: makePicture({}), preview: makeMp4(3) };
  assert.deepEqual(listWrongFields(half, changeShown({ ...video, ...pictures })), ['pairedWith']);
  assert.deepEqual(listWrongFields(half, changeShown({ ...video, ...pictures, isListed: false })), []);
});
