import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { z } from 'zod';
import { AlbumCreate, AlbumUpdate } from './albums.ts';
import { LoginRequest, RefreshRequest } from './auth.ts';
import { FileParams, FileQuery } from './files.ts';
import { JobCreate, JobUpdate } from './jobs.ts';
import { MediaItemUpdate } from './mediaItem.ts';
import { MediaItemsRequest, UploadFields } from './mediaItems.ts';
import { PersonUpdate } from './people.ts';
import { searchMediaItems } from './search.ts';
import { UserCreate, UserUpdate } from './users.ts';

const id = '8f14e45f-ceea-467f-a9b5-3c1e2b7d9a10';
const numberedId = (n: number): string => `8f14e45f-ceea-467f-a9b5-${n.toString(16).padStart(12, '0')}`;
const ada = { name: 'Ada Lovelace', username: 'ada', password: 'analytical' };
const link = { type: 'image/jpeg', epoch: '7', expires: '1700000000', key: 'k1', signature: 'c2ln' };

const accepted: readonly [name: string, schema: z.ZodType, input: unknown, output?: unknown][] = [
  ['a list of one id', MediaItemsRequest, { mediaItems: [id] }],
  ['1,000 ids', MediaItemsRequest, { mediaItems: Array.from({ length: 1000 }, (_, n) => numberedId(n)) }],
  ['an id twice, once in capitals', MediaItemsRequest, { mediaItems: [id, id.toUpperCase()] }, { mediaItems: [id] }],
  ['an id of no known version', MediaItemsRequest, { mediaItems: ['11111111-1111-1111-1111-111111111111'] }],
  ['one change of an item', MediaItemUpdate, { favourite: true }],
  ['null to remove a description', MediaItemUpdate, { description: null }],
  ['an empty text to remove a description', MediaItemUpdate, { description: '' }, { description: null }],
  ['line breaks, an emoji and surrounding spaces', MediaItemUpdate, { description: ' a\n\tb 👩‍👩‍👧 ' }],
  ['4,096 characters beyond the BMP', MediaItemUpdate, { description: '👍'.repeat(4096) }],
  ['an upload without fields', UploadFields, {}],
  ['a creation time with offset', UploadFields, { creationTime: '2022-04-03T12:56:11+05:30' }],
  ['a creation time with fractions', UploadFields, { creationTime: '1826-06-01T00:00:00.123456Z' }],
  ['an empty description, as forms send it', UploadFields, { description: '' }, { description: undefined }],
  ['a user', UserCreate, ada],
  ['features as an object', UserCreate, { ...ada, features: { people: false } }],
  ['features as a JSON text', UserUpdate, { features: '{"people":false}' }, { features: { people: false } }],
  ['spaces around a name', UserUpdate, { name: ' Ada ' }, { name: 'Ada' }],
  ['a name with decomposed characters', UserUpdate, { name: 'Jose\u0301' }, { name: 'Jos\u00e9' }],
  [
    'a password with decomposed characters and spaces',
    UserUpdate,
    { password: ' pass Jose\u0301 ' },
    { password: ' pass Jos\u00e9 ' },
  ],
  ['a login with a password that is too short to be valid', LoginRequest, { username: 'ada', password: 'x' }],
  ['a refresh token in the body', RefreshRequest, { refreshToken: 'x' }],
  ['no refresh token in the body, where it is in the header', RefreshRequest, {}],
  ['an album', AlbumCreate, { name: 'Rome' }, { name: 'Rome', shared: false, hidden: false }],
  ['null to choose a cover automatically', AlbumUpdate, { coverMediaItemId: null }],
  ['null to remove a person’s name', PersonUpdate, { name: null }],
  ['components as a list', JobCreate, { components: ['METADATA', ' faces '] }, { components: ['METADATA', 'FACES'] }],
  ['components as one text', JobCreate, { components: 'metadata, OCR' }, { components: ['METADATA', 'OCR'] }],
  ['a status in any case', JobUpdate, { status: 'paused' }, { status: 'PAUSED' }],
  ['a signed link', FileQuery, link, { ...link, epoch: 7, expires: 1_700_000_000 }],
  [
    'a signed link with a name',
    FileQuery,
    { ...link, filename: 'Zürich 1.jpg' },
    { ...link, filename: 'Zürich 1.jpg', epoch: 7, expires: 1_700_000_000 },
  ],
  [
    'a search by a filter alone',
    searchMediaItems.query,
    { favourite: 'true' },
    { page: 1, limit: 15, favourite: true },
  ],
  [
    'ids separated by commas',
    searchMediaItems.query,
    { people: `${id},${numberedId(1)}` },
    { page: 1, limit: 15, people: [id, numberedId(1)] },
  ],
  [
    'ids under a repeated name',
    searchMediaItems.query,
    { albums: [id, id.toUpperCase()] },
    { page: 1, limit: 15, albums: [id, id] },
  ],
  [
    'one day',
    searchMediaItems.query,
    { from: '2022-04-03', to: '2022-04-03', type: 'video' },
    { page: 1, limit: 15, from: '2022-04-03', to: '2022-04-03', type: 'VIDEO' },
  ],
  ['the name of an object', FileParams, { userId: id, mediaItemId: id, name: 'preview-2f.jpg' }],
];

for (const [name, schema, input, output = input] of accepted) {
  test(`accepted: ${name}`, () => assert.deepEqual(schema.parse(input), output));
}
