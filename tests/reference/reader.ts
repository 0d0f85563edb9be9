import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { routes } from '@hearth/contract/routes.ts';
import { openDatabase, transaction } from '@hearth/core/db/database.ts';
import { writeItemPlace } from '@hearth/worker/places/itemPlaces.ts';
import { writeItemThings } from '@hearth/worker/components/things/queries.ts';
import { makeFace, writeFaces } from '@hearth/testkit/rows/faces.ts';
import { writePictureFeatures } from '@hearth/testkit/libraries/pictureFeatures.ts';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { getDataDirectory } from '@hearth/testkit/hearth/dataFolder.ts';
import { readDatabaseUrl, queryEmbedded } from '@hearth/testkit/hearth/embeddedDatabase.ts';
import { getCredentials, type Hearth } from '@hearth/testkit/hearth/hearth.ts';
import { createUser, makeForm, sendForJson, signIn, type RequestOptions } from '@hearth/testkit/hearth/request.ts';
import { waitFor } from '@hearth/testkit/hearth/wait.ts';

type RouteName = keyof typeof routes;
type Variables = Readonly<Record<string, string>>;

/** A user with a library who runs the examples of the reference. */
export interface Reader {
  /** Returns the variables of a route's example. Data that the example changes is created again for each call. */
  variablesFor(name: RouteName): Promise<Variables>;
}

interface ReaderOptions {
  readonly hearth: Hearth;
  readonly directory: string;
  /** Folder for `photo.jpg`. */
  readonly folder: string;
}

/**
 * Creates a library with one of everything for the first user. Recognition results are inserted as the components would
 * write them.
 */
export const makeReader = async (t: TestContext, { hearth, directory, folder }: ReaderOptions): Promise<Reader> => {
  const { url } = hearth;
  const credentials = getCredentials(hearth);
  const secrets = JSON.parse(await readFile(join(getDataDirectory(directory), 'secrets.json'), 'utf8'));
  const admin = { username: 'admin', password: secrets.adminPassword as string };
  const token = await signIn(url, credentials);
  const request = <Body>(path: string, options: RequestOptions = {}): Promise<Body> =>
    sendForJson<Body>(url, path, { token, ...options });
  const query = queryEmbedded(directory);
  const db = openDatabase({ url: await readDatabaseUrl(directory), maxConnections: 1, onError: () => undefined });
  t.after(() => db.destroy());

  let seed = 1;
  const upload = async (): Promise<string> => {
    const photo = await makeTestPhoto({ seed: (seed += 1), width: 96, height: 72 });
    const form = new FormData();
    form.append('creationTime', '2024-06-21T12:00:00Z');
    form.append('file', makeForm('photo.jpg', new Uint8Array(photo)).get('file')!);
    const { id } = await request<{ id: string }>('/v1/mediaItems', { method: 'POST', body: form });
    await waitFor(`${id} is processed`, async () => {
      const [left] = await query<{ n: number }>(
        `select count(*)::int as n from component_runs where media_item_id = $1 and state in ('PENDING', 'RUNNING')`,
        [id],
      );
      return left!.n === 0;
    });
    return id;
  };
  await writeFile(join(folder, 'photo.jpg'), await makeTestPhoto({ seed: 1, width: 96, height: 72 }));
  const size = String((await readFile(join(folder, 'photo.jpg'))).length);

  const item = await upload();
  const { userId } = await request<{ userId: string }>(`/v1/mediaItems/${item}`);
  const itemWithFace = async (personId: string | null): Promise<string> => {
    const owned = { id: await upload(), user_id: userId };
    await writeFaces(db, owned, [makeFace(owned, { personId })]);
    return owned.id;
  };
  const findPerson = async (id: string): Promise<string> =>
    (await request<{ id: string }[]>(`/v1/mediaItems/${id}/people`))[0]!.id;
  const newPerson = async (): Promise<string> => findPerson(await itemWithFace(null));
  await transaction(db, async (trx) => {
    await writeItemPlace(trx, item, { countryCode: 'CH', country: 'Switzerland', city: 'Bern' });
    await writeItemThings(trx, { id: item, user_id: userId }, [{ name: 'Dog' }]);
  });
  await writeFaces(db, { id: item, user_id: userId }, [makeFace({ id: item, user_id: userId })]);
  const findFirstId = async (path: string): Promise<string> => (await request<{ id: string }[]>(path))[0]!.id;
  const makeAlbum = () =>
    request<{ id: string; shareId: string }>('/v1/albums', { method: 'POST', body: { name: 'Bern', shared: true } });
  const newAlbum = async (): Promise<string> => (await makeAlbum()).id;
  /** Creates a shared album with the item, and a visitor's link to the item's thumbnail. */
  const newShared = async () => {
    const { id, shareId } = await makeAlbum();
    await request(`/v1/albums/${id}/mediaItems`, { method: 'POST', body: { mediaItems: [item] } });
    const [shown] = await request<{ thumbnailUrl: string }[]>(`/v1/sharing/${shareId}/mediaItems`);
    return { ALBUM: id, SHARE: shareId, SHARED: shown!.thumbnailUrl };
  };
  const grid = await request<{ thumbnailPrefixes: string[] }>('/v1/timeline/2024-06/grid');
  const { sourceUrl } = await request<{ sourceUrl: string }>(`/v1/mediaItems/${item}`);

  const base: Variables = {
    HEARTH: url,
    TOKEN: token,
    ADMIN: `${admin.username}:${admin.password}`,
    USERNAME: credentials.username,
    PASSWORD: credentials.password,
    ITEM: item,
    ...(await newShared()),
    PLACE: await findFirstId('/v1/explore/places'),
    THING: await findFirstId('/v1/explore/things'),
    PERSON: await findPerson(item),
    SIZE: size,
    FILE: sourceUrl,
    THUMBNAIL: `${grid.thumbnailPrefixes[0]}${item}`,
  };

  const newItem = async (): Promise<Variables> => ({ ITEM: await upload() });
  const newUpload = async (): Promise<Variables> => {
    const headers = { Authorization: `Bearer ${token}`, 'Tus-Resumable': '1.0.0', 'Upload-Length': size };
    const response = await fetch(`${url}/v1/uploads`, { method: 'POST', headers });
    return { UPLOAD: response.headers.get('location')!.split('/').at(-1)! };
  };
  const stopJobs = async (): Promise<Variables> => {
    for (const { id, status } of await request<{ id: string; status: string }[]>('/v1/jobs')) {
      if (status === 'COMPLETED' || status === 'STOPPED') continue;
      // The job may have ended by now.
      await request(`/v1/jobs/${id}`, { method: 'PUT', body: { status: 'STOPPED' } }).catch(() => undefined);
    }
    return {};
  };
  /** Creates a paused job. Retries if the job finishes before the pause. */
  const newJob = async (): Promise<Variables> => {
    for (;;) {
      await stopJobs();
      const { id } = await request<{ id: string }>('/v1/jobs', { method: 'POST', body: { components: ['METADATA'] } });
      const paused = request(`/v1/jobs/${id}`, { method: 'PUT', body: { status: 'PAUSED' } }).then(
        () => true,
        () => false,
      );
      if (await paused) return { JOB: id };
    }
  };
  let users = 0;
  const newUser = async (): Promise<Variables> => {
    const user = await createUser(url, admin, `reader${(users += 1)}`);
    const session = await sendForJson<{ accessToken: string; refreshToken: string }>(url, '/v1/auth/login', {
      method: 'POST',
      body: { username: user.username, password: user.password },
    });
    await signIn(url, user);
    const sessions = await sendForJson<{ id: string; current: boolean }[]>(url, '/v1/auth/sessions', {
      token: session.accessToken,
    });
    return {
      USER: user.id,
      TOKEN: session.accessToken,
      REFRESH_TOKEN: session.refreshToken,
      PASSWORD: user.password,
      SESSION: sessions.find(({ current }) => !current)!.id,
    };
  };
  const merged = async (): Promise<Variables> => {
    const other = await newPerson();
    await request(`/v1/explore/people/${base['PERSON']}/merge`, { method: 'POST', body: { people: [other] } });
    return { OTHER: other };
  };

  let groups = 0;
  /** Creates two photos that look the same and differ from all others. */
  const newGroup = async () => {
    groups += 1;
    const ids = [await upload(), await upload()];
    for (const id of ids) await writePictureFeatures(db, { id, user_id: userId }, { bits: 9 * groups, angle: groups });
    const GROUP = await findFirstId('/v1/duplicates');
    const { revision } = await request<{ revision: string }>(`/v1/duplicates/${GROUP}`);
    return { GROUP, KEPT: ids[0]!, REVISION: revision };
  };
  const reviewed = async (): Promise<Variables> => {
    const createdIds = await newGroup();
    await request(`/v1/duplicates/${createdIds.GROUP}/dismiss`, { method: 'POST' });
    return createdIds;
  };

  /** Data that an example consumes, or whose state another example changes. */
  const freshVariables: Partial<Record<RouteName, () => Promise<Variables>>> = {
    deleteMediaItem: newItem,
    addToTrash: newItem,
    addToHidden: newItem,
    getUpload: newUpload,
    continueUpload: newUpload,
    deleteUpload: newUpload,
    getSharedAlbum: newShared,
    listSharedMediaItems: newShared,
    getSharedFile: newShared,
    deleteAlbum: async () => ({ ALBUM: await newAlbum() }),
    mergePeople: async () => ({ OTHER: await newPerson() }),
    separatePeople: merged,
    removeFromPerson: async () => ({ ITEM: await itemWithFace(base['PERSON']!) }),
    getDuplicates: newGroup,
    listDuplicateMediaItems: newGroup,
    resolveDuplicates: newGroup,
    dismissDuplicates: newGroup,
    restoreDuplicates: reviewed,
    createJob: stopJobs,
    getJob: newJob,
    updateJob: newJob,
    refresh: newUser,
    logout: newUser,
    changePassword: newUser,
    endOtherSessions: newUser,
    endSession: newUser,
    getUser: newUser,
    updateUser: newUser,
    deleteUser: newUser,
  };
  return { variablesFor: async (name) => ({ ...base, ...(await freshVariables[name]?.()) }) };
};
