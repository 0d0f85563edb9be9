import { isJsonBody, type Route } from '@hearth/contract/defineRoute.ts';
import { routes } from '@hearth/contract/routes.ts';
import type { Message } from './exchange.ts';
import { encodeRequest, type HeaderLine } from './httpBytes.ts';
import { mutateBytes } from '@hearth/testkit/media/mutateBytes.ts';
import { mutateJson, hostileTexts } from './hostileValues.ts';
import type { Random } from '@hearth/testkit/run/seededRandom.ts';
import { makeAuthorization, makeExtraHeaders, makeTusHeaders } from './requestHeaders.ts';
import type { Fixtures } from './fixtures.ts';
import { validBodies, type JsonOperation } from './validBodies.ts';

const all: readonly Route[] = Object.values(routes);

/** A request for any route, with faults in its address, its headers, its body, or in the bytes of all of it. */
export const makeRequest = (random: Random, fixtures: Fixtures): Message => {
  const route = random.pick(all);
  const method = random.chance(0.92)
    ? route.method.toUpperCase()
    : random.pick(['GET', 'HEAD', 'POST', 'OPTIONS', 'TRACE', 'PROPFIND', 'get', 'X']);
  const body = makeBody(random, route, fixtures);
  const isLengthRight = random.chance(0.95);
  const headers: HeaderLine[] = [
    ['Host', random.chance(0.97) ? 'localhost' : random.pick(hostileTexts)],
    ['Connection', 'close'],
    ...makeAuthorization(random, route, fixtures),
    ...(body === undefined
      ? []
      : [['Content-Type', random.chance(0.9) ? typeOf(route) : random.pick(bodyTypes)] as const]),
    ...(body === undefined
      ? []
      : [['Content-Length', String(isLengthRight ? body.length : random.below(2 * body.length + 2))] as const]),
    ...makeTusHeaders(random, route),
    ...makeExtraHeaders(random, route),
  ];
  const bytes = encodeRequest({
    method,
    target: makeTarget(random, route, fixtures),
    headers,
    body: body ?? Buffer.alloc(0),
  });
  if (random.chance(0.9)) return { bytes, isWhole: isLengthRight && !/[\r\n ]/.test(headers[0]?.[1] ?? '') };
  return { bytes: mutateBytes(random, bytes, [Buffer.from('GET /version HTTP/1.1\r\n\r\n')]), isWhole: false };
};

/** Bytes that are hardly HTTP. */
export const makeNoise = (random: Random): Message => {
  const lines = Array.from(
    { length: random.below(5) },
    () => `${random.pick(hostileTexts)}: ${random.pick(hostileTexts)}\r\n`,
  );
  const bytes = random.pick([
    () => random.bytes(1 + random.below(2_000)),
    () => Buffer.from(`${random.pick(hostileTexts)} ${random.pick(hostileTexts)} HTTP/1.1\r\n${lines.join('')}\r\n`),
    () => Buffer.from(`GET /version HTTP/1.1\r\nHost: x\r\n${lines.join('')}\r\n`, 'latin1'),
    () =>
      Buffer.from(
        `POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${random.pick(['5', 'ffffffffffffffff', '-1', 'x', '0'])}\r\n${random.pick(hostileTexts)}`,
      ),
    () => Buffer.from('GET /version HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1 + random.below(20))),
  ])();
  return { bytes, isWhole: false };
};

const bodyTypes = [
  'text/plain',
  'application/json; charset=utf-16',
  'application/json; charset=nonsense',
  'application/x-www-form-urlencoded',
  '',
  'application/merge-patch+json',
] as const;

const typeOf = ({ body }: Route): string => (body !== undefined && 'binary' in body ? body.binary : 'application/json');

const makeBody = (random: Random, { operationId, body }: Route, { victim, photos }: Fixtures): Buffer | undefined => {
  if (body === undefined && random.chance(0.95)) return undefined;
  if (body !== undefined && 'binary' in body) {
    if (body.isOptional === true && random.chance(0.5)) return undefined;
    return random.pick(photos).subarray(0, random.pick([0, 1, 10, 100, 100_000]));
  }
  const valid = isJsonBody(body) ? validBodies[operationId as JsonOperation](random, victim) : { a: 1 };
  return Buffer.from(mutateJson(random, valid));
};

const makeTarget = (random: Random, route: Route, { victim }: Fixtures): string => {
  if (route.auth === 'link') return mutateLink(random, random.pick(victim.links));
  const ids = idsFor(route, victim);
  const path = route.path.replaceAll(/\{\w+\}/g, () =>
    random.chance(0.8) ? random.pick(ids) : encodeURI(random.pick(hostileTexts)),
  );
  return damagePath(random, path) + makeQuery(random, route);
};

/** Ids of what the address of a route names. */
const idsFor = ({ path, tag }: Route, victim: Fixtures['victim']): readonly string[] => {
  if (path.startsWith('/v1/users')) return [victim.id];
  if (path.startsWith('/v1/albums')) return victim.albumIds;
  if (tag === 'sharing') return victim.shareIds;
  if (tag === 'jobs') return victim.jobIds;
  return tag === 'uploads' ? victim.uploadIds : victim.mediaItemIds;
};

const damagePath = (random: Random, path: string): string => {
  if (random.chance(0.9)) return path;
  return random.pick([
    `/${path}`,
    `${path}/`,
    `${path}/x`,
    path.toUpperCase(),
    `http://host${path}`,
    `${path}%00`,
    path.replace('/v1', '/v1/..'),
    path.slice(0, -1),
    path.replaceAll('/', '%2f'),
    '*',
    path.slice(1),
  ]);
};

const makeQuery = (random: Random, { query }: Route): string => {
  const names = [...Object.keys(query?.shape ?? {}), 'unknown'];
  const values = ['1', '2', '200', 'true', 'photo', 'ready', 'default', ...hostileTexts];
  const pairs = Array.from(
    { length: random.below(4) },
    () => `${random.pick(names)}=${encodeURI(random.pick(values))}`,
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
};

const mutateLink = (random: Random, link: string): string => {
  if (random.chance(0.4)) return link;
  const url = new URL(link, 'http://host');
  const name = random.pick([...url.searchParams.keys()]);
  if (random.chance(0.3)) url.searchParams.delete(name);
  else if (random.chance(0.7)) url.searchParams.set(name, random.pick(hostileTexts));
  else url.pathname = url.pathname.replace(/[^/]+$/, random.pick(hostileTexts));
  return url.pathname + url.search;
};
