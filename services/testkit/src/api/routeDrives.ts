import { randomUUID } from 'node:crypto';
import type { Route } from '@hearth/contract/defineRoute.ts';
import { maxEventStreams } from '@hearth/contract/limits.ts';
import { routes } from '@hearth/contract/routes.ts';
import { recognise, seenOn } from '../rows/faces.ts';
import { searchLimits } from '@hearth/api/semantic/searchLimiter.ts';
import { checkAnswer } from './answerChecker.ts';
import { createClient, type Answer, type CallOptions, type RouteName } from './client.ts';
import { type Drive, type World, driveFull, prepareNothing } from './drives/driveWorld.ts';
import { exampleRequest } from './exampleRequest.ts';
import { fileUpload, multipart } from './multipart.ts';
import { forgetAttempts } from './forgetAttempts.ts';
import { duplicateDrives } from './drives/duplicateDrives.ts';
import { sharingDrives } from './drives/sharingDrives.ts';
import { startTestApi } from './testApi.ts';
import { whileSearchesWait } from '../database/blockedQueries.ts';
import { nextPhoto } from './testUser.ts';
import { uploadDrives } from './drives/uploadDrives.ts';

/** Number of failures after which an account or the administrator is locked out. */
export const maxFailures = 5;

/** Calls a route with its example and the given query. */
export const callExample = async (
  { api, user, ...world }: World,
  name: RouteName,
  query: CallOptions['query'] = {},
): Promise<Answer<unknown>> => {
  const { auth }: Route = routes[name];
  const call = auth === 'basic' ? api.callAsAdmin : auth === 'none' ? api.call : user.call;
  const { item: ITEM, album: ALBUM, share: SHARE, place: PLACE, thing: THING, person: PERSON } = world;
  const values = { ITEM, ALBUM, SHARE, PLACE, THING, PERSON, USER: user.id };
  const request = exampleRequest(name, values);
  return call(name, { ...request, query: { ...request.query, ...query } });
};

const ofItem = ({ item }: World) => ({ params: { id: item } });

const newUser = async ({ api }: World): Promise<string> => {
  const username = randomUUID();
  return (await api.callAsAdmin('createUser', { body: { name: 'Ada', username, password: 'a password' } })).body.id;
};

/** Builds a request with the person of the fixture, and a new person on another item. */
const somebodyElse = async ({ api, user, person, faceOf, newItem }: World) => {
  const item = { id: await newItem(), user_id: user.id };
  await recognise(api.deps.db, item, [seenOn(item, faceOf('somebody'))]);
  const { body } = await user.call('listMediaItemPeople', { params: { id: item.id } });
  return { params: { id: person }, body: { people: [body[0]!.id] } };
};

/** Searches once, and then more often than a user may at a time. */
const search = async ({ api }: World, call: () => Promise<unknown>): Promise<void> => {
  await call();
  let searches: Promise<unknown>[] = [];
  await whileSearchesWait(api.deps, async () => {
    searches = Array.from({ length: searchLimits.permits + searchLimits.maxWaiting + 1 }, call);
    await Promise.race(searches);
  });
  await Promise.all(searches);
};

/** Creates a job. The second attempt is rejected until the first job is stopped. */
const newJob = async ({ user }: World): Promise<string> => {
  const create = () => user.call('createJob', { body: { components: ['METADATA'] } });
  await create();
  await create();
  const [unfinished] = (await user.call('listJobs')).body;
  await user.call('updateJob', { params: { id: unfinished!.id }, body: { status: 'STOPPED' } });
  return (await create()).body.id;
};

/** Route fixtures of routes whose example does not cause all their responses in the contract. */
const drives: Readonly<Partial<Record<RouteName, Drive>>> = {
  uploadMediaItem: async (world) => {
    const { api, user } = world;
    const photo = await nextPhoto();
    for (const content of [photo, photo, 'no photo']) await user.call('uploadMediaItem', fileUpload(content));
    const small = await startTestApi({ replicaOf: api, config: { maxUploadBytes: 100 } });
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
    await driveFull(world, (call) => call('uploadMediaItem', fileUpload(photo)), prepareNothing);
  },
  deleteMediaItem: async ({ user, newItem }) => {
    const params = { id: await newItem() };
    await user.call('deleteMediaItem', { params, query: { permanent: true } });
    await user.call('deleteMediaItem', { params });
    await user.call('deleteMediaItem', { params, query: { permanent: true } });
  },
  ...uploadDrives,
  getTimeline: async ({ user }) => {
    const { headers } = await user.call('getTimeline');
    await user.call('getTimeline', { headers: { 'If-None-Match': headers.get('etag') ?? '' } });
  },
  getTimelineGrid: async ({ user }) => {
    const params = { section: '2020-04' };
    const { headers } = await user.call('getTimelineGrid', { params });
    await user.call('getTimelineGrid', { params, headers: { 'If-None-Match': headers.get('etag') ?? '' } });
  },
  searchMediaItems: (world) => search(world, () => world.user.call('searchMediaItems', { query: { q: 'dog' } })),
  listSimilarMediaItems: (world) => search(world, () => world.user.call('listSimilarMediaItems', ofItem(world))),
  addToHidden: async ({ user, newItem }) => user.call('addToHidden', { body: { mediaItems: [await newItem()] } }),
  deleteAlbum: async ({ user }) => {
    const { id } = (await user.call('createAlbum', { body: { name: 'Winter' } })).body;
    await user.call('deleteAlbum', { params: { id } });
  },
  removeFromAlbum: async ({ user, album, newItem }) =>
    user.call('removeFromAlbum', { params: { id: album }, body: { mediaItems: [await newItem()] } }),
  mergePeople: async (world) => world.user.call('mergePeople', await somebodyElse(world)),
  separatePeople: async (world) => {
    const people = await somebodyElse(world);
    await world.user.call('mergePeople', people);
    await world.user.call('separatePeople', people);
  },
  removeFromPerson: async ({ api, user, person, faceOf, newItem }) => {
    const item = { id: await newItem(), user_id: user.id };
    await recognise(api.deps.db, item, [seenOn(item, faceOf('person'))]);
    await user.call('removeFromPerson', { params: { id: person }, body: { mediaItems: [item.id] } });
  },
  addToTrash: async ({ user, newItem }) => user.call('addToTrash', { body: { mediaItems: [await newItem()] } }),
  createJob: newJob,
  getJob: async (world) => world.user.call('getJob', { params: { id: await newJob(world) } }),
  updateJob: async (world) => {
    const params = { id: await newJob(world) };
    for (const status of ['STOPPED', 'RUNNING']) await world.user.call('updateJob', { params, body: { status } });
  },
  watchEvents: async ({ api }) => {
    const { token } = await api.signUp();
    const open = new AbortController();
    const watch = () =>
      fetch(`${api.url}/v1/events`, { headers: { authorization: `Bearer ${token}` }, signal: open.signal });
    const streams = await Promise.all(Array.from({ length: maxEventStreams }, watch));
    for (const { status, headers } of streams) checkAnswer('watchEvents', { status, headers, bytes: Buffer.alloc(0) });
    await createClient(api.url, `Bearer ${token}`)('watchEvents');
    open.abort();
  },
  ...duplicateDrives,
  ...sharingDrives,
  login: async ({ api, user: { username, password } }) => {
    await api.call('login', { body: { username, password } });
    const body = { username: randomUUID(), password };
    for (let n = 0; n <= maxFailures; n++) await api.call('login', { body });
    await forgetAttempts(api);
  },
  logInOnce: async ({ api, user: { id } }) => {
    await api.call('logInOnce', { body: { code: api.deps.oneTimeCode.issue(id) } });
    for (let n = 0; n <= maxFailures; n++) await api.call('logInOnce', { body: { code: 'no code' } });
    await forgetAttempts(api);
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
    const renewed = createClient(api.url, `Bearer ${accessToken}`);
    for (let n = 0; n <= maxFailures; n++) await renewed('changePassword', { body });
    await forgetAttempts(api);
  },
  endOtherSessions: async ({ api }) => (await api.signUp()).call('endOtherSessions'),
  endSession: async ({ api }) => {
    const { call } = await api.signUp();
    const [{ id } = { id: '' }] = (await call('listSessions')).body;
    await call('endSession', { params: { id } });
  },
  createUser: newUser,
  deleteUser: async (world) => world.api.callAsAdmin('deleteUser', { params: { id: await newUser(world) } }),
  getWebConfig: async ({ api }) => {
    await api.call('getWebConfig');
    api.deps.state.isMigrated = false;
    await api.call('getWebConfig');
    api.deps.state.isMigrated = true;
  },
};

/** Makes a route return all responses that only it has in the contract: by its entry in `drives`, else by its example. */
export const driveRoute = async (world: World, name: RouteName): Promise<void> => {
  await (drives[name]?.(world) ?? callExample(world, name));
};
