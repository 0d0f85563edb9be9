import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { fc } from '@hearth/testkit/run/fastCheck.ts';
import type { Route } from '@hearth/contract/defineRoute.ts';
import { bodyErrors } from '@hearth/contract/errors.ts';
import { routes } from '@hearth/contract/routes.ts';
import { insertSession } from '../accounts/sessions.ts';
import { findUserByUsername } from '../accounts/users.ts';
import { dumpRowsWith } from '@hearth/testkit/database/dumpRows.ts';
import { anyLibrary, makeLibrary, listObjectKeys, type Library } from '@hearth/testkit/api/anyLibrary.ts';
import { anyRequest, hasIdParameters } from '@hearth/testkit/api/anyRequest.ts';
import type { Ingredients } from '@hearth/testkit/api/anyValue.ts';
import { createClient, fetchLink, type CallOptions, type RouteName } from '@hearth/testkit/api/client.ts';
import { readEvents } from '@hearth/testkit/api/eventReader.ts';
import { clearLoginAttempts } from '@hearth/testkit/api/loginAttempts.ts';
import { multipart } from '@hearth/testkit/api/multipart.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import { makeNextPhoto, type TestUser } from '@hearth/testkit/api/testUser.ts';

/*
 * Two users with overlapping libraries. One calls every route of the contract with all known data of the other,
 * wherever it fits. The other's data must not change, and no response may reveal more than if the other did not exist.
 * The routes come from the contract, so a new route is covered automatically, or fails this test until it has a
 * request.
 */
const api = await startTestApi();
const { db } = api.deps;
after(() => api.stop());

/**
 * Routes that are not called, in addition to those of the administrator, who sees all users. Signing in and changing
 * the password need the other user's secret. Ending own sessions would end the event stream of the test (see
 * `ownAccount.test.ts`).
 */
const uncalled = new Set<RouteName>([
  'login',
  'logInOnce',
  'refresh',
  'changePassword',
  'endSession',
  'endOtherSessions',
]);
const callable = (Object.entries(routes) as [RouteName, Route][]).filter(
  ([name, { auth }]) => auth !== 'basic' && !uncalled.has(name),
);

/** Calls of a route with id parameters, per library and foreign id. */
const callsPerId = 3;

/** Minimum calls of a route without id parameters, per library. */
const callsWithoutIds = 4;

/** Maximum calls of a route without id parameters, per library, until one passes validation. */
const triesWithoutIds = 60;

/** Number of library pairs. */
const numRuns = 2;

/** Time limit, in ms. The test takes five minutes on two cores while other tests run. */
const timeout = 20 * 60_000;

test('no user sees or changes data of another by any route, link, upload or event', { timeout }, async () => {
  const passed = new Set<RouteName>();
  const property = fc.asyncProperty(anyLibrary, anyLibrary, fc.gen(), async (ours, theirs, gen) => {
    const [mine, other] = [await makeLibrary(api, ours), await makeLibrary(api, theirs)];
    const stream = await readEvents(api.url, mine.user.token);
    await stream.until(({ event }) => event === 'ready');
    const dump = async () => {
      // Resets the counters of wrong ids.
      await clearLoginAttempts(api);
      return [await dumpRowsWith(db, other.ids), await listObjectKeys(api, other.user.id)];
    };
    const before = await dump();
    const ingredients: Ingredients = {
      foreign: other.known,
      foreignNumbers: other.offsets,
      ownIds: mine.ids,
      files: [...other.files, Buffer.from('neither photo nor video')],
    };
    const idsPerCall = other.ids.flatMap((id) => Array.from({ length: callsPerId }, () => [...other.known, id]));
    const allIdsPerCall = Array.from({ length: triesWithoutIds }, () => [...other.known, ...other.ids]);
    const links = new Set<string>();
    for (const [name] of callable) {
      for (const [index, foreign] of (hasIdParameters(name) ? idsPerCall : allIdsPerCall).entries()) {
        if (!hasIdParameters(name) && index >= callsWithoutIds && passed.has(name)) break;
        const request = gen(() => anyRequest(name, { ...ingredients, foreign }));
        const about = `${name} ${JSON.stringify({ ...request, raw: request.raw?.length })}`;
        const response = await send(mine.user, name, request);
        assertRevealsNothing(response.text, other, about);
        if (hasPassedValidation(response, name, JSON.stringify(request), other)) passed.add(name);
        for (const [link] of response.text.matchAll(/[^"\s]*\/v1\/files\/[0-9a-f]{8}-[^"\s]+/g)) links.add(link);
        await assertLikeUnknownId(mine.user, name, request, response, other, about);
      }
      assert.deepEqual(await dump(), before, `${name} has changed data of another user`);
    }
    for (const link of links) await assertLinkCannotBeAltered(link, mine, other);
    await assertStreamRevealsNothing(stream, mine.user, other);
  });
  await fc.assert(property, { numRuns, endOnFailure: true });
  const never = callable.filter(([name]) => !passed.has(name)).map(([name]) => name);
  assert.deepEqual(never, [], 'no request for these routes passed validation: extend testkit/src/api/anyRequest.ts');
});

/** A response with headers and body as one text. */
interface TextResponse {
  readonly status: number;
  readonly text: string;
  /** The message of an error. */
  readonly error: { readonly code?: string; readonly message?: string };
}

/** Access tokens for calling routes, by user id. Some routes end their session. */
const tokens = new Map<string, string>();

async function openSession({ id, username }: TestUser): Promise<string> {
  const { password_hash: passwordHash } = (await findUserByUsername(db, username))!;
  const token = api.deps.tokens.issue((await insertSession(db, { userId: id, passwordHash }))!);
  tokens.set(id, token);
  return token;
}

async function send(user: TestUser, name: RouteName, request: CallOptions): Promise<TextResponse> {
  const response = await sendOnce(user, name, request);
  // Some calls end their session. Wrong ids count as guesses, and all come from one address.
  if (response.status === 401) tokens.delete(user.id);
  else if (response.status === 429) await clearLoginAttempts(api);
  else return response;
  return sendOnce(user, name, request);
}

async function sendOnce(user: TestUser, name: RouteName, request: CallOptions): Promise<TextResponse> {
  const token = tokens.get(user.id) ?? (await openSession(user));
  const route: Route = routes[name];
  if (route.responses[200]?.eventStream !== undefined) {
    const stream = await readEvents(api.url, token, { lastId: request.headers?.['Last-Event-ID'] });
    if (stream.status === 200) await stream.until(({ event }) => event === 'ready');
    await stream.close();
    return { status: stream.status, text: JSON.stringify([stream.response.headers, stream.events]), error: {} };
  }
  const { status, headers, bytes } = await createClient(api.url, `Bearer ${token}`)(name, request);
  const text = `${JSON.stringify([...headers])}\n${bytes.toString('latin1')}`;
  const hasError = status >= 400 && bytes.length > 0;
  return { status, text, error: hasError ? (JSON.parse(bytes.toString()) as TextResponse['error']) : {} };
}

function assertRevealsNothing(text: string, { secrets }: Library, about: string): void {
  for (const secret of secrets)
    assert.ok(!text.includes(secret), `${about} revealed ${secret}: ${text.slice(0, 2_000)}`);
}

/** Errors that only report a malformed request. */
const formErrors: ReadonlySet<string> = new Set([...bodyErrors, 'TUS_VERSION_UNSUPPORTED']);

/** Returns true if the request passed validation, so that its foreign id was looked up. */
function hasPassedValidation(
  { status, error }: TextResponse,
  name: RouteName,
  request: string,
  { ids }: Library,
): boolean {
  if (hasIdParameters(name)) return status === 404 && ids.some((id) => request.includes(id));
  return status < 400 || !formErrors.has(error.code ?? '');
}

/** Asserts that foreign ids get the same response as unknown ids. */
async function assertLikeUnknownId(
  user: TestUser,
  name: RouteName,
  request: CallOptions,
  response: TextResponse,
  { ids }: Library,
  about: string,
): Promise<void> {
  const { raw, ...rest } = request;
  let text = JSON.stringify(rest);
  if (!ids.some((id) => text.includes(id))) return;
  for (const id of ids) text = text.replaceAll(id, randomUUID());
  const unknownResponse = await send(user, name, {
    ...(JSON.parse(text) as CallOptions),
    ...(raw !== undefined && { raw }),
  });
  const summarise = ({ status, error: { code, message } }: TextResponse) => ({ status, code, message });
  assert.deepEqual(summarise(response), summarise(unknownResponse), `${about} reveals that the id exists`);
}

/** Asserts that no link can be altered to reach another user's data. */
async function assertLinkCannotBeAltered(link: string, { user }: Library, other: Library): Promise<void> {
  const [address = '', search = ''] = link.split('?');
  const [, ofUser = '', ofItem = ''] = /\/v1\/files\/([^/]+)\/([^/]+)\//.exec(address) ?? [];
  assert.equal(ofUser, user.id);
  for (const key of (await listObjectKeys(api, other.user.id)).map((line) => line.split(' ')[0]!)) {
    const [theirUser = '', theirItem = '', theirName = ''] = key.split('/');
    for (const changed of [
      `/v1/files/${key}`,
      address.replace(ofUser, theirUser).replace(ofItem, theirItem),
      address.replace(/[^/]+$/, theirName).replace(ofItem, theirItem),
      `${address}/../../../${key}`,
    ]) {
      assert.equal((await fetchLink(api.url, `${changed}?${search}`)).status, 404, changed);
    }
  }
}

/** Makes changes for both users and asserts that the stream reports only its own. */
async function assertStreamRevealsNothing(
  stream: Awaited<ReturnType<typeof readEvents>>,
  user: TestUser,
  other: Library,
): Promise<void> {
  const theirs = await other.user.uploadPhoto();
  const id = await user.uploadPhoto();
  await stream.until(({ data }) => data.id === id);
  await stream.close();
  assertRevealsNothing(JSON.stringify(stream.events), { ...other, secrets: [...other.secrets, theirs] }, 'the stream');
}

test('a link works for any holder, but only unaltered', async () => {
  const [mine, other] = [await api.signUp(), await api.signUp()];
  const id = await other.uploadPhoto();
  const { sourceUrl } = (await other.call('getMediaItem', { params: { id } })).body;
  assert.equal((await fetchLink(api.url, sourceUrl)).status, 200);
  // The targets of the altered links exist, so only the signature can reject them.
  for (const changed of [sourceUrl.replace(other.id, mine.id), sourceUrl.replace(id, randomUUID())]) {
    const key = new URL(changed, api.url).pathname.replace('/v1/files/', '');
    await api.deps.objects.put(key, Readable.from([Buffer.from('bytes')]));
    assert.equal((await fetchLink(api.url, changed)).status, 404);
  }
});

/** Routes that report on the whole server, and why. */
const serverWide: ReadonlyMap<RouteName, string> = new Map([['getDisk', 'all users share one disk']]);

/** Routes that only read, by GET or POST. */
const readOnlyRoutes = callable.filter(
  ([name, { method, auth, responses }]) =>
    !serverWide.has(name) &&
    auth === 'bearer' &&
    responses[200]?.eventStream === undefined &&
    (method === 'get' || name === 'checkMediaItems'),
);

test('changes of another user do not affect any response, including counts and positions', async () => {
  const property = fc.asyncProperty(anyLibrary, anyLibrary, fc.gen(), async (ours, theirs, gen) => {
    const mine = await makeLibrary(api, ours);
    const ingredients: Ingredients = {
      foreign: [...mine.known, ...mine.ids],
      foreignNumbers: mine.offsets,
      ownIds: mine.ids,
      files: mine.files,
    };
    const requests = readOnlyRoutes.flatMap(([name]) =>
      Array.from({ length: 10 }, () => [name, gen(() => anyRequest(name, ingredients))] as const),
    );
    // Adds requests without filters, to cover every count.
    requests.push(
      ...readOnlyRoutes
        .filter(([name, { path }]) => !hasIdParameters(name) && !path.includes('{'))
        .map(([name]) => [name, {}] as const),
    );
    const sendAll = async (): Promise<string[]> => {
      const responses: string[] = [];
      for (const [name, request] of requests) {
        const { text } = await send(mine.user, name, request);
        // Replaces the values that differ per request: the time and the request id.
        responses.push(`${name} ${text.replaceAll(/\["(date|x-request-id)","[^"]*"\]|"requestId":"[^"]*"/g, '')}`);
      }
      return responses;
    };
    const before = await sendAll();
    await makeLibrary(api, theirs);
    assert.deepEqual(await sendAll(), before);
  });
  await fc.assert(property, { numRuns, endOnFailure: true });
});

test('does not reveal to an uploader that another user has the same file', async () => {
  const [one, other] = [await api.signUp(), await api.signUp()];
  const content = await makeNextPhoto();
  const form = multipart([{ name: 'file', filename: 'a.jpg', content }]);
  const first = await one.call('uploadMediaItem', form);
  const second = await other.call('uploadMediaItem', form);
  assert.deepEqual([second.status, second.body.id === first.body.id], [201, false]);
  assert.equal((await one.call('uploadMediaItem', form)).status, 200);
});
