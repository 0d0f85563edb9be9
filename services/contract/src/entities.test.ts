import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Album, AlbumCreate, AlbumUpdate } from './albums.ts';
import { LoginRequest, Tokens } from './auth.ts';
import { CoverUpdate, Place, Thing } from './explore.ts';
import { Features } from './features.ts';
import { Job, JobCreate, JobUpdate } from './jobs.ts';
import { MediaItem, MediaItemDetails, MediaItemUpdate } from './mediaItem.ts';
import { MediaItemsRequest } from './mediaItems.ts';
import { Person, PersonUpdate } from './people.ts';
import { Disk, Version } from './system.ts';
import { User, UserCreate, UserUpdate } from './users.ts';
import { featureNames } from './vocabulary.ts';

const mediaItem =
  'id userId filename description mimeType placeholder sourceUrl previewUrl thumbnailUrl favourite shared hidden deleted ' +
  'status mediaItemType mediaItemCategory width height creationTime latitude longitude cameraMake cameraModel focalLength ' +
  'apertureFNumber isoEquivalent exposureTime megapixels fps createdAt updatedAt';
const addedFields = 'sizeBytes durationSeconds localTime utcOffset posterUrl motionUrl';
const album = 'name description coverMediaItemId shared hidden';

const entities: readonly [name: string, schema: { shape: object }, fields: string][] = [
  ['MediaItem', MediaItem, `${mediaItem} ${addedFields}`],
  ['MediaItemDetails', MediaItemDetails, `${mediaItem} ${addedFields} text processing original`],
  ['MediaItemUpdate', MediaItemUpdate, 'description favourite hidden'],
  ['Album', Album, `id userId ${album} shareId mediaItemsCount createdAt updatedAt coverMediaItem`],
  ['AlbumCreate', AlbumCreate, album],
  ['AlbumUpdate', AlbumUpdate, album],
  ['Place', Place, 'id name postcode town city state country coverMediaItemId createdAt updatedAt coverMediaItem'],
  ['Thing', Thing, 'id name coverMediaItemId createdAt updatedAt coverMediaItem'],
  ['CoverUpdate', CoverUpdate, 'coverMediaItemId'],
  ['Person', Person, 'id name hidden coverMediaItemId coverMediaItemFaceId createdAt updatedAt coverMediaItemFace'],
  ['PersonUpdate', PersonUpdate, 'name hidden coverMediaItemId'],
  ['User', User, 'id name username features usedBytes quotaBytes createdAt updatedAt'],
  ['UserCreate', UserCreate, 'name username password features quotaBytes'],
  ['UserUpdate', UserUpdate, 'name username password features quotaBytes'],
  ['Job', Job, 'id userId components status lastMediaItemId progress createdAt updatedAt'],
  ['JobCreate', JobCreate, 'components'],
  ['JobUpdate', JobUpdate, 'status'],
  ['LoginRequest', LoginRequest, 'username password'],
  ['Tokens', Tokens, 'accessToken refreshToken'],
  ['MediaItemsRequest', MediaItemsRequest, 'mediaItems'],
  ['Version', Version, 'version gitSha'],
  ['Features', Features, featureNames.join(' ')],
  ['Disk', Disk, 'total free used'],
];

for (const [name, { shape }, fields] of entities) {
  test(`${name} has all specified fields`, () => {
    const missing = fields.split(' ').filter((field) => !(field in shape));
    assert.deepEqual(missing, []);
  });
}

test('accepts creation times only in UTC and local times only without a zone, and rejects null', () => {
  const part = MediaItem.partial();
  const right = [
    { creationTime: '2022-04-03T07:26:11.125Z' },
    { localTime: '2022-04-03T12:56:11.125' },
    { utcOffset: '+05:30' },
  ];
  for (const value of right) assert.deepEqual(part.parse(value), value);
  const wrong = [
    { creationTime: '2022-04-03T12:56:11+05:30' },
    { creationTime: '2022-04-03 07:26:11' },
    { localTime: '2022-04-03T12:56:11Z' },
    { utcOffset: 'UTC' },
    { description: null },
    { latitude: 91 },
    { status: 'ready' },
    { sizeBytes: 1.5 },
  ];
  for (const value of wrong) assert.ok(!part.safeParse(value).success, JSON.stringify(value));
});
