import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { z } from 'zod';
import { AlbumCreate } from './albums.ts';
import { LoginRequest, OneTimeLogin, RefreshRequest } from './auth.ts';
import { CoverUpdate } from './explore.ts';
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

const refused: readonly [name: string, schema: z.ZodType, inputs: readonly unknown[]][] = [
  ['an update without changes', MediaItemUpdate, [{}, { favourite: undefined }]],
  ['a body that is not an object', MediaItemUpdate, [undefined, null, [], 'favourite', 1]],
  [
    'unknown fields',
    MediaItemUpdate,
    [{ favorite: true }, { favourite: true, id }, JSON.parse('{"__proto__":{},"hidden":true}')],
  ],
  ['invalid booleans', MediaItemUpdate, [{ favourite: 'true' }, { hidden: 1 }, { favourite: null }]],
  [
    'text that cannot be stored',
    MediaItemUpdate,
    [{ description: 'a\0b' }, { description: '\ud800' }, { description: 5 }],
  ],
  ['a description that is too long', MediaItemUpdate, [{ description: 'x'.repeat(4097) }]],
  [
    'empty and too long lists, and values that are not lists',
    MediaItemsRequest,
    [
      {},
      { mediaItems: [] },
      { mediaItems: id },
      { mediaItems: Array.from({ length: 1001 }, (_, n) => numberedId(n)) },
      [id],
    ],
  ],
  [
    'invalid ids',
    MediaItemsRequest,
    ['', 'x', `${id}0`, ` ${id}`, `{${id}}`, id.replaceAll('-', ''), null, 1].map((wrong) => ({
      mediaItems: [id, wrong],
    })),
  ],
  [
    'invalid creation times',
    UploadFields,
    [
      '',
      '2022-04-03',
      '2022-04-03T12:56:11',
      '2022-02-30T00:00:00Z',
      '0000-01-01T00:00:00Z',
      '9999-12-31T23:59:59-10:00',
    ].map((creationTime) => ({ creationTime })),
  ],
  [
    'users with missing or empty fields',
    UserCreate,
    [{}, { ...ada, name: undefined }, { ...ada, username: '' }, { ...ada, password: '' }],
  ],
  ['invalid usernames', UserUpdate, ['', '  ', 'a\nb', 'a\0', 'x'.repeat(65), 5].map((username) => ({ username }))],
  [
    'passwords that are too short or too long',
    UserUpdate,
    ['1234567', 'x'.repeat(257), '👍'.repeat(7)].map((password) => ({ password })),
  ],
  [
    'invalid features',
    UserUpdate,
    [
      '',
      '{',
      'null',
      '[]',
      '"{}"',
      '{"people":1}',
      '{"flying":true}',
      null,
      [],
      { people: 'false' },
      { flying: true },
    ].map((features) => ({ features })),
  ],
  ['users with unknown fields', UserUpdate, [{}, { id }, { name: 'Ada', admin: true }]],
  [
    'logins with missing, empty or unknown fields',
    LoginRequest,
    [{}, { username: 'ada' }, { username: 'ada', password: '' }, { ...ada }],
  ],
  ['invalid one-time codes', OneTimeLogin, [{}, { code: '' }, { code: 1 }, { code: 'x'.repeat(101) }, { ...ada }]],
  [
    'refresh tokens that are not text',
    RefreshRequest,
    [{ refreshToken: 1 }, { refreshToken: null }, { token: 'x' }, []],
  ],
  ['albums without a name', AlbumCreate, [{}, { name: '' }, { name: null }]],
  ['covers that are not ids', CoverUpdate, [{}, { coverMediaItemId: '' }]],
  ['a person’s empty name', PersonUpdate, [{ name: '' }, { name: ' ' }]],
  [
    'invalid components',
    JobCreate,
    [[], '', ',', 'METADATA,', ['TRANSCODE'], 'faces,FACES', ['OCR', 'OCR '], [1], 1, null].map((components) => ({
      components,
    })),
  ],
  ['invalid statuses', JobUpdate, [{}, { status: '' }, { status: 'DONE' }, { status: ['PAUSED'] }]],
  [
    'incomplete and malformed links',
    FileQuery,
    [{}, { ...link, key: '' }, { ...link, expires: '1e9' }, { ...link, type: 'text' }, { ...link, signature: '=' }],
  ],
  [
    'searches without a text or filter, and invalid filters',
    searchMediaItems.query,
    [
      {},
      { page: '2', today: '2022-04-03' },
      { q: '' },
      ...['', ',', `${id},`, 'x', `${id},x`, [id, 'x'], Array.from({ length: 21 }, () => id).join(',')].map(
        (people) => ({ people }),
      ),
      { type: 'SOUND' },
      { type: ['PHOTO', 'VIDEO'] },
      { category: '' },
      { favourite: '1' },
      { camera: ' ' },
      ...['2022', '2022-02-30', '0000-01-01', '2022-04-03T00:00:00', 'today'].flatMap((day) => [
        { from: day },
        { to: day },
        { q: 'x', today: day },
      ]),
      { from: '2022-04-04', to: '2022-04-03' },
    ],
  ],
  [
    'object names that are paths or hidden files',
    FileParams,
    ['', '.', '..', '.x', 'a/b', 'a%2fb', 'a\\b'].map((name) => ({ userId: id, mediaItemId: id, name })),
  ],
];

for (const [name, schema, inputs] of refused) {
  test(`refused: ${name}`, () => {
    for (const input of inputs) assert.ok(!schema.safeParse(input).success, JSON.stringify(input));
  });
}

test('reports the path of an invalid feature in a JSON text as in an object', () => {
  for (const features of [{ people: 1 }, '{"people":1}']) {
    const { error } = UserUpdate.safeParse({ features });
    assert.deepEqual(
      error?.issues.map(({ path }) => path),
      [['features', 'people']],
    );
  }
});
