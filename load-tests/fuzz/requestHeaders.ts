import type { Route } from '@hearth/contract/defineRoute.ts';
import type { HeaderLine } from './httpBytes.ts';
import { mutateBytes } from './mutateBytes.ts';
import { nastyTexts } from './nastyValues.ts';
import type { Random } from './random.ts';
import { basic, type Subject } from './subject.ts';

/** The credentials that a route asks for, mostly; else none, damaged ones, or somebody else's. */
export const makeAuthorization = (random: Random, { auth }: Route, { victim, admin }: Subject): HeaderLine[] => {
  const right = auth === 'basic' ? basic(admin) : `Bearer ${victim.token}`;
  if (auth === 'none' || auth === 'link') return [];
  if (random.chance(0.85)) return [['Authorization', right]];
  if (random.chance(0.2)) return [];
  const wrong = mutateBytes(random, Buffer.from(right), [])
    .toString('latin1')
    .replaceAll(/[\r\n\0]/g, '');
  return [
    [
      'Authorization',
      random.pick([wrong, basic(victim), `Bearer ${random.pick(nastyTexts)}`, `Basic ${random.pick(nastyTexts)}`]),
    ],
  ];
};

/** None to three headers that a request may do without; of a file more often those about a part of it. */
export const makeExtraHeaders = (random: Random, { auth }: Route): HeaderLine[] => {
  const isOfPart = auth === 'link' && random.chance(0.6);
  const names = isOfPart ? ['Range', 'Range', 'If-Range', 'If-None-Match'] : Object.keys(extraHeaders);
  return Array.from({ length: !isOfPart && random.chance(0.5) ? 0 : 1 + random.below(3) }, () => {
    const name = random.pick(names);
    return [name, random.pick(random.chance(0.6) ? (extraHeaders[name] ?? ['']) : nastyTexts)] as const;
  });
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
