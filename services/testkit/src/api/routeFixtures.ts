import { randomUUID } from 'node:crypto';
import type { Route } from '@hearth/contract/defineRoute.ts';
import { maxEventStreams } from '@hearth/contract/limits.ts';
import { routes } from '@hearth/contract/routes.ts';
import { recognise, makeDetectedFace } from '../rows/faces.ts';
import { searchLimits } from '@hearth/api/semantic/searchLimiter.ts';
import { checkResponse } from './responseChecker.ts';
import { createClient, type ApiResponse, type CallOptions, type RouteName } from './client.ts';
import {
  type RouteFixture,
  type RouteContext,
  callWithFullDisk,
  skipPreparation,
} from './routeFixtures/routeContext.ts';
import { makeExampleRequest } from './exampleRequest.ts';
import { fileUpload, multipart } from './multipart.ts';
import { clearLoginAttempts } from './loginAttempts.ts';
import { duplicateFixtures } from './routeFixtures/duplicateFixtures.ts';
import { sharingFixtures } from './routeFixtures/sharingFixtures.ts';
import { startTestApi } from './testApi.ts';
import { withBlockedSearches } from '../database/blockedQueries.ts';
import { makeNextPhoto } from './testUser.ts';
import { uploadFixtures } from './routeFixtures/uploadFixtures.ts';

/** Number of failures after which an account or the administrator is locked out. */
export const maxFailures = 5;

/** Calls a route with its example. `query` adds query parameters. */
export const callExample = async (
  { api, user, ...context }: RouteContext,
  name: RouteName,
  query: CallOptions['query'] = {},
): Promise<ApiResponse<unknown>> => {
  const { auth }: Route = routes[name];
  const call = auth === 'basic' ? api.callAsAdmin : auth === 'none' ? api.call : user.call;
  const { item: ITEM, album: ALBUM, share: SHARE, place: PLACE, thing: THING, person: PERSON } = context;
  const values = { ITEM, ALBUM, SHARE, PLACE, THING, PERSON, USER: user.id };
  const request = makeExampleRequest(name, values);
  return call(name, { ...request, query: { ...request.query, ...query } });
};

const callForItem = ({ item }: RouteContext) => ({ params: { id: item } });

const createUser = async ({ api }: RouteContext): Promise<string> => {
  const username = randomUUID();
  return (await api.callAsAdmin('createUser', { body: { name: 'Ada', username, password: 'a password' } })).body.id;
};

/** Creates a person on another item. Returns a request with the fixture's person and the new one. */
const createOtherPerson = async ({ api, user, person, makeEmbedding, createItem }: RouteContext) => {
  const item = { id: await createItem(), user_id: user.id };
  await recognise(api.deps.db, item, [makeDetectedFace(item, makeEmbedding('somebody'))]);
  const { body } = await user.call('listMediaItemPeople', { params: { id: item.id } });
  return { params: { id: person }, body: { people: [body[0]!.id] } };
};

/** Searches once, and then with more concurrent searches than a user may run. */
const search = async ({ api }: RouteContext, call: () => Promise<unknown>): Promise<void> => {
  await call();
  let searches: Promise<unknown>[] = [];
  await withBlockedSearches(api.deps, async () => {
    searches = Array.from({ length: searchLimits.permits + searchLimits.maxWaiting + 1 }, call);
    await Promise.race(searches);
  });
  await Promise.all(searches);
};

/** Creates a job, tries to create another one, which is rejected, and stops the first. Returns the id of a third job. */
const createJob = async ({ user }: RouteContext): Promise<string> => {
  const create = () => user.call('createJob', { body: { components: ['METADATA'] } });
  await create();
  await create();
  const [unfinished] = (await user.call('listJobs')).body;
  await user.call('updateJob', { params: { id: unfinished!.id }, body: { status: 'STOPPED' } });
  return (await create()).body.id;
};

/** Fixtures of the routes with responses that their example does not cause. */
const fixtures: Readonly<Partial<Record<RouteName, RouteFixture>>> = {
  uploadMediaItem: async (context) => {
    const { api, user } = context;
    const photo = await makeNextPhoto();
    for (const content of [photo, photo, 'no photo']) await user.call('uploadMediaItem', fileUpload(content));
    const small = await startTestApi({ sharedWith: api, config: { maxUploadBytes: 100 } });
    await createClient(small.url, `Bearer ${user.token}`)('uploadMediaItem', fileUpload(photo));
    await small.stop();
    const parts = [
      { name: 'unknown', content: 'x' },
      { name: 'file', filename: 'photo.jpg', content: photo },
    ];
    await user.call('uploadMediaItem', multipart(parts));
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    await user.call('uploadMediaItem', { headers, raw: 'no parts' });
    await user.call('uploadMediaItem', { headers: { 'content-type': 'image/jpeg' }, raw: photo });
    await callWithFullDisk(context, (call) => call('uploadMediaItem', fileUpload(photo)), skipPreparation);
  },
  deleteMediaItem: async ({ user, createItem }) => {
    const params = { id: await createItem() };
    await user.call('deleteMediaItem', { params, query: { permanent: true } });
    await user.call('deleteMediaItem', { params });
    await user.call('deleteMediaItem', { params, query: { permanent: true } });
  },
  ...uploadFixtures,
  getTimeline: async ({ user }) => {
    const { headers } = await user.call('getTimeline');
    await user.call('getTimeline', { headers: { 'If-None-Match': headers.get('etag') ?? '' } });
  },
  getTimelineGrid: async ({ user }) => {
    const params = { section: '2020-04' };
    const { headers } = await user.call('getTimelineGrid', { params });
    await user.call('getTimelineGrid', { params, headers: { 'If-None-Match': headers.get('etag') ?? '' } });
  },
  searchMediaItems: (context) => search(context, () => context.user.call('searchMediaItems', { query: { q: 'dog' } })),
  listSimilarMediaItems: (context) =>
    search(context, () => context.user.call('listSimilarMediaItems', callForItem(context))),
  addToHidden: async ({ user, createItem }) => user.call('addToHidden', { body: { mediaItems: [await createItem()] } }),
  deleteAlbum: async ({ user }) => {
    const { id } = (await user.call('createAlbum', { body: { name: 'Winter' } })).body;
    await user.call('deleteAlbum', { params: { id } });
  },
  removeFromAlbum: async ({ user, album, createItem }) =>
    user.call('removeFromAlbum', { params: { id: album }, body: { mediaItems: [await createItem()] } }),
  mergePeople: async (context) => context.user.call('mergePeople', await createOtherPerson(context)),
  separatePeople: async (context) => {
    const people = await createOtherPerson(context);
    await context.user.call('mergePeople', people);
    await context.user.call('separatePeople', people);
  },
  removeFromPerson: async ({ api, user, person, makeEmbedding, createItem }) => {
    const item = { id: await createItem(), user_id: user.id };
    await recognise(api.deps.db, item, [makeDetectedFace(item, makeEmbedding('person'))]);
    await user.call('removeFromPerson', { params: { id: person }, body: { mediaItems: [item.id] } });
  },
  addToTrash: async ({ user, createItem }) => user.call('addToTrash', { body: { mediaItems: [await createItem()] } }),
  createJob,
  getJob: async (context) => context.user.call('getJob', { params: { id: await createJob(context) } }),
  updateJob: async (context) => {
    const params = { id: await createJob(context) };
    for (const status of ['STOPPED', 'RUNNING']) await context.user.call('updateJob', { params, body: { status } });
  },
  watchEvents: async ({ api }) => {
    const { token } = await api.signUp();
    const open = new AbortController();
    const watch = () =>
      fetch(`${api.url}/v1/events`, { headers: { authorization: `Bearer ${token}` }, signal: open.signal });
    const streams = await Promise.all(Array.from({ length: maxEventStreams }, watch));
    for (const { status, headers } of streams)
      checkResponse('watchEvents', { status, headers, bytes: Buffer.alloc(0) });
    await createClient(api.url, `Bearer ${token}`)('watchEvents');
    open.abort();
  },
  ...duplicateFixtures,
  ...sharingFixtures,
  login: async ({ api, user: { username, password } }) => {
    await api.call('login', { body: { username, password } });
    const body = { username: randomUUID(), password };
    for (let n = 0; n <= maxFailures; n++) await api.call('login', { body });
    await clearLoginAttempts(api);
  },
  logInOnce: async ({ api, user: { id } }) => {
    await api.call('logInOnce', { body: { code: api.deps.oneTimeCode.issue(id) } });
    for (let n = 0; n <= maxFailures; n++) await api.call('logInOnce', { body: { code: 'no code' } });
    await clearLoginAttempts(api);
  },
  refresh: async ({ api, user: { username, password } }) => {
    const { refreshToken } = (await api.call('login', { body: { username, password } })).body;
    for (const text of [refreshToken, 'no token']) await api.call('refresh', { body: { refreshToken: text } });
  },
  logout: async ({ api }) => (await api.signUp()).call('logout'),
  changePassword: async ({ api }) => {
    const { call, password } = await api.signUp();
    const body = { currentPassword: password, newPassword: `${password}, changed` };
    const { accessToken } = (await call('changePassword', { body })).body;
    const clientWithNewToken = createClient(api.url, `Bearer ${accessToken}`);
    for (let n = 0; n <= maxFailures; n++) await clientWithNewToken('changePassword', { body });
    await clearLoginAttempts(api);
  },
  endOtherSessions: async ({ api }) => (await api.signUp()).call('endOtherSessions'),
  endSession: async ({ api }) => {
    const { call } = await api.signUp();
    const [{ id } = { id: '' }] = (await call('listSessions')).body;
    await call('endSession', { params: { id } });
  },
  createUser,
  deleteUser: async (context) => context.api.callAsAdmin('deleteUser', { params: { id: await createUser(context) } }),
  getWebConfig: async ({ api }) => {
    await api.call('getWebConfig');
    api.deps.state.isMigrated = false;
    await api.call('getWebConfig');
    api.deps.state.isMigrated = true;
  },
};

/** Makes a route return all its specific responses in the contract: by its entry in `fixtures`, or else by its example. */
export const callRoute = async (context: RouteContext, name: RouteName): Promise<void> => {
  await (fixtures[name]?.(context) ?? callExample(context, name));
};
