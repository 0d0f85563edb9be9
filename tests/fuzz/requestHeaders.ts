import type { Route } from '@hearth/contract/defineRoute.ts';
import type { HeaderLine } from './httpBytes.ts';
import { mutateBytes } from '@hearth/testkit/media/mutateBytes.ts';
import { hostileTexts } from './hostileValues.ts';
import type { Random } from '@hearth/testkit/run/seededRandom.ts';
import { basicOf } from '@hearth/testkit/hearth/request.ts';
import type { Fixtures } from './fixtures.ts';

/** Mostly the right credentials for the route; else none, damaged ones, or those of another account. */
export const makeAuthorization = (random: Random, { auth }: Route, { victim, admin }: Fixtures): HeaderLine[] => {
  const right = auth === 'basic' ? basicOf(admin) : `Bearer ${victim.token}`;
  if (auth === 'none' || auth === 'link') return [];
  if (random.chance(0.85)) return [['Authorization', right]];
  if (random.chance(0.2)) return [];
  const wrong = mutateBytes(random, Buffer.from(right), [])
    .toString('latin1')
    .replaceAll(/[\r\n\0]/g, '');
  return [
    [
      'Authorization',
      random.pick([
        wrong,
        basicOf(victim),
        `Bearer ${random.pick(hostileTexts)}`,
        `Basic ${random.pick(hostileTexts)}`,
      ]),
    ],
  ];
};

/** Up to three optional headers. Requests of files mostly get those for ranges. */
export const makeExtraHeaders = (random: Random, { auth }: Route): HeaderLine[] => {
  const isOfPart = auth === 'link' && random.chance(0.6);
  const names = isOfPart ? ['Range', 'Range', 'If-Range', 'If-None-Match'] : Object.keys(extraHeaders);
  return Array.from({ length: !isOfPart && random.chance(0.5) ? 0 : 1 + random.below(3) }, () => {
    const name = random.pick(names);
    return [name, random.pick(random.chance(0.6) ? (extraHeaders[name] ?? ['']) : hostileTexts)] as const;
  });
};

/** Mostly the headers that the tus protocol requires. */
export const makeTusHeaders = (random: Random, { tag, requestHeaders }: Route): HeaderLine[] => {
  if (tag !== 'uploads') return [];
  return Object.keys(requestHeaders?.shape ?? {})
    .filter((name) => name === 'Tus-Resumable' || random.chance(name === 'Upload-Checksum' ? 0.1 : 0.9))
    .map((name) => [name, random.pick(random.chance(0.9) ? (tusHeaders[name] ?? ['']) : hostileTexts)] as const);
};

const tusHeaders: Readonly<Record<string, readonly string[]>> = {
  'Tus-Resumable': ['1.0.0'],
  'Upload-Length': ['1', '10', '100000', '1000000', '1000001', '0'],
  'Upload-Offset': ['0', '0', '1', '10'],
  'Upload-Metadata': [
    'filename YS5qcGc=',
    'creationTime MjAyMi0wNC0wM1QxMjo1NjoxMVo=,description YQ==',
    'a,b',
    'filename',
  ],
  'Upload-Checksum': ['sha1 2jmj7l5rSw0yVb/vlWAYkK/YBwk=', 'md5 1B2M2Y8AsgTpgAmY7PhCfg==', 'sha1'],
};

const extraHeaders: Readonly<Record<string, readonly string[]>> = {
  'X-Request-Id': ['mine', 'a b'],
  Range: [
    'bytes=0-0',
    'bytes=-1',
    'bytes=-0',
    'bytes=5-',
    'bytes=99999999-',
    'bytes=0-1,3-4',
    `bytes=${'9'.repeat(400)}-`,
  ],
  'If-Range': ['"x"'],
  'If-None-Match': ['*', '"x"'],
  'Content-Encoding': ['gzip', 'deflate', 'br', 'identity'],
  'Accept-Encoding': ['gzip'],
  Accept: ['text/html'],
  Expect: ['100-continue'],
  Upgrade: ['websocket', 'h2c'],
  Cookie: ['a=b; c=d'],
  'X-Forwarded-For': ['192.0.2.1, 10.0.0.1'],
  'X-HTTP-Method-Override': ['DELETE'],
};
