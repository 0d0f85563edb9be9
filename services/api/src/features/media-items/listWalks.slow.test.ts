import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { insertAlbum, updateAlbum } from '../albums/queries.ts';
import { deleteAlbum } from '@hearth/testkit/rows/deleteAlbum.ts';
import { addToCollection } from '../../lists/collections.ts';
import { rollUpCounts } from '../../lists/counts.ts';
import { transaction } from '@hearth/core/db/database.ts';
import { writeItemPlace } from '@hearth/worker/places/itemPlaces.ts';
import { writeItemThings } from '@hearth/worker/components/things/queries.ts';
import { updatePerson } from '../people/queries.ts';
import { buildMediaItem } from '@hearth/testkit/rows/factories.ts';
import { recognise, makeDetectedFace } from '@hearth/testkit/rows/faces.ts';
import { makeFaceGenerator } from '@hearth/testkit/rows/generatedFaces.ts';
import type { ApiResponse, CallOptions, RouteName } from '@hearth/testkit/api/client.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import type { TestUser } from '@hearth/testkit/api/testUser.ts';

/*
 * Follows the `next` links of every list with cursors while entries are added, removed and renamed. No entry may appear
 * twice. Every entry must appear that existed before and did not change.
 */
const api = await startTestApi();
const { db } = api.deps;
after(() => api.stop());

const names = ['Ähre', 'alps', 'Alps', 'Beach 2', 'Beach 10', 'Émile', 'zoo', 'Öl', '10', '9', 'żuk', 'Łódź'];
let named = 0;
const nextName = (): string => {
  named += 1;
  return `${names[(named * 7) % names.length]!} ${(named * 5) % 13}`;
};

/** A kind of list: how to request it, and how to add, remove and rename its entries. */
interface Kind {
  readonly list: RouteName;
  readonly options?: (user: TestUser) => CallOptions;
  readonly query?: CallOptions['query'];
  /** Returns the id of the new entry. */
  readonly add: (user: TestUser) => Promise<string>;
  readonly remove: (user: TestUser, id: string) => Promise<unknown>;
  readonly rename?: (user: TestUser, id: string) => Promise<unknown>;
}

const commonItems = new Map<string, string>();

/** Returns the one item that all albums of a user contain. */
const commonItem = async (user: TestUser): Promise<string> => {
  const existing = commonItems.get(user.id);
  if (existing !== undefined) return existing;
  const { id } = await buildMediaItem(db, user.id);
  commonItems.set(user.id, id);
  return id;
};

const addAlbum = async (user: TestUser): Promise<string> => {
  const values = { name: nextName(), description: null, isShared: false, isHidden: false };
  const id = await insertAlbum(db, user.id, values);
  await addToCollection(db, user.id, id, [await commonItem(user)]);
  return id;
};
const albums = {
  list: 'listAlbums',
  add: addAlbum,
  remove: (user: TestUser, id: string) => deleteAlbum(db, user.id, id),
  rename: (user: TestUser, id: string) => updateAlbum(db, user.id, id, { name: nextName() }),
} as const;

/** A place or thing exists while one of its items is visible. */
const explored = (table: 'places' | 'things', list: RouteName): Kind => ({
  list,
  add: async (user) => {
    const { id } = await buildMediaItem(db, user.id);
    const name = `${nextName()} ${randomUUID().slice(0, 4)}`;
    await transaction(db, async (trx) =>
      table === 'places'
        ? writeItemPlace(trx, id, { countryCode: 'CH', country: 'Switzerland', town: name })
        : writeItemThings(trx, { id, user_id: user.id }, [{ name, synonyms: ['thing'], confidence: 0.9 }]),
    );
    const row = await db.selectFrom(table).select('id').where('name', '=', name).executeTakeFirstOrThrow();
    return row.id;
  },
  remove: async (_, id) =>
    db
      .updateTable('media_items')
      .set({ deleted_at: new Date() })
      .where('id', 'in', db.selectFrom('collection_items').select('media_item_id').where('collection_id', '=', id))
      .execute(),
});

const faceGenerator = makeFaceGenerator(1);
const addPerson = async (user: TestUser): Promise<string> => {
  const item = { id: (await buildMediaItem(db, user.id)).id, user_id: user.id };
  await recognise(db, item, [makeDetectedFace(item, faceGenerator.person())]);
  const { person_id: id } = await db
    .selectFrom('faces')
    .select('person_id')
    .where('media_item_id', '=', item.id)
    .executeTakeFirstOrThrow();
  if (named++ % 3 !== 0) await updatePerson(db, user.id, id!, { name: nextName() });
  return id!;
};

const kinds: Readonly<Record<string, Kind>> = {
  'albums by name': albums,
  'albums by name, backwards': { ...albums, query: { sort: '-name' } },
  'albums by creation': { ...albums, query: { sort: 'createdAt' } },
  'albums by creation, newest first': { ...albums, query: { sort: '-createdAt' } },
  'albums by change': { ...albums, query: { sort: 'updatedAt' } },
  'the albums of one item': {
    ...albums,
    list: 'listMediaItemAlbums',
    options: (user) => ({ params: { id: commonItems.get(user.id)! } }),
  },
  places: explored('places', 'listPlaces'),
  things: explored('things', 'listThings'),
  people: {
    list: 'listPeople',
    add: addPerson,
    remove: (user, id) => updatePerson(db, user.id, id, { hidden: true }),
    rename: (user, id) => updatePerson(db, user.id, id, { name: nextName() }),
  },
  jobs: {
    list: 'listJobs',
    add: async (user) => {
      const id = randomUUID();
      const job = { id, user_id: user.id, components: ['PLACES' as const], status: 'STOPPED' as const, total: 0 };
      await db.insertInto('jobs').values(job).execute();
      return id;
    },
    remove: (_, id) => db.deleteFrom('jobs').where('id', '=', id).execute(),
  },
  users: {
    list: 'listUsers',
    add: async () => {
      const body = { name: nextName(), username: randomUUID(), password: randomUUID() };
      return (await api.callAsAdmin('createUser', { body })).body.id;
    },
    remove: (_, id) => api.callAsAdmin('deleteUser', { params: { id } }),
    rename: (_, id) => api.callAsAdmin('updateUser', { params: { id }, body: { name: nextName() } }),
  },
};

for (const [about, { list, options, query, add, remove, rename }] of Object.entries(kinds)) {
  test(`a walk through ${about} returns each entry once while entries are added, removed and renamed`, async () => {
    const user = await api.signUp();
    const before = [];
    for (let n = 0; n < 14; n++) before.push(await add(user));
    const call = list === 'listUsers' ? api.callAsAdmin : user.call;
    const [changed, walked] = [new Set<string>(), [] as string[]];
    let next: CallOptions['query'] | undefined = { ...query, limit: '3' };
    for (let page = 0; next !== undefined; page++) {
      const response: ApiResponse<{ id: string }[]> = await call(list, { ...options?.(user), query: next });
      walked.push(...response.body.map(({ id }) => id));
      const link: string | undefined = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
      next = link === undefined ? undefined : Object.fromEntries(new URL(link, api.url).searchParams);
      if (next !== undefined) assert.ok(next['cursor'] !== undefined && next['page'] === undefined);
      if (page > 4) continue;
      await add(user);
      const rest = before.filter((id) => !changed.has(id));
      const [gone, renamed] = [rest[page % rest.length]!, rest[(page * 5 + 3) % rest.length]!];
      await remove(user, gone);
      changed.add(gone);
      if (rename !== undefined && renamed !== gone) {
        await rename(user, renamed);
        changed.add(renamed);
      }
      if (page % 2 === 0) await transaction(db, (trx) => rollUpCounts(trx, 20));
    }
    const stayed = before.filter((id) => !changed.has(id));
    assert.ok(stayed.length > 0);
    const kept = walked.filter((id) => !changed.has(id));
    assert.equal(new Set(kept).size, kept.length, 'an entry appears twice');
    assert.deepEqual(
      stayed.filter((id) => !walked.includes(id)),
      [],
      'an entry is missing',
    );
  });
}
