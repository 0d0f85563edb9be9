import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import jwt from 'jsonwebtoken';
import { maxEventStreams } from '@hearth/contract/limits.ts';
import { claimRun } from '@hearth/core/runs/componentRuns.ts';
import { recordOutcome } from '@hearth/core/runs/runOutcomes.ts';
import { trimEvents } from '../../events/events.ts';
import { buildMediaItem } from '@hearth/testkit/rows/factories.ts';
import { queryOnce } from '@hearth/testkit/database/postgres.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { createClient } from '@hearth/testkit/api/client.ts';
import { readEvents, type EventReader } from '@hearth/testkit/api/eventReader.ts';
import { fileUpload } from '@hearth/testkit/api/multipart.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import { makeNextPhoto, type TestUser } from '@hearth/testkit/api/testUser.ts';
import { keyId } from '../../links/signingKeys.ts';

const api = await startTestApi();
const replica = await startTestApi({ sharedWith: api });
after(async () => {
  await replica.stop();
  await api.stop();
});

/** Opens a user's stream and waits until it is ready. */
const watch = async ({ token }: TestUser, lastId?: string, url = api.url): Promise<EventReader> => {
  const reader = await readEvents(url, token, { lastId });
  await reader.until(({ event }) => event === 'ready');
  return reader;
};

const isAbout = (id: string, type: string) => (event: { data: { id?: string; type?: string } }) =>
  event.data.id === id && event.data.type === type;

const listEvents = ({ events }: EventReader) => events.map(({ event, data }) => [event, data.type, data.id]);

test('reports an upload and all changes of the item on another replica', async () => {
  const user = await api.signUp();
  const reader = await watch(user, undefined, replica.url);
  const id = await user.uploadPhoto();
  assert.equal((await reader.until(isAbout(id, 'created'))).data.status, 'PROCESSING');

  const claim = await claimRun(api.deps.db, id, 'media', 60_000);
  await recordOutcome(api.deps.db, claim!, { state: 'FAILED', reason: 'NOT_READABLE' });
  await reader.until(({ data }) => data.id === id && data.status === 'FAILED');

  const { call } = user;
  await call('updateMediaItem', { params: { id }, body: { favourite: true, hidden: true } });
  await reader.until(({ data }) => data.id === id && 'favourite' in data && data.favourite === true);
  await call('deleteMediaItem', { params: { id } });
  await reader.until(({ data }) => data.id === id && 'deleted' in data && data.deleted === true);
  await call('deleteMediaItem', { params: { id }, query: { permanent: true } });
  await reader.until(isAbout(id, 'removed'));
  await reader.close();
});

test('a new stream starts with the next event', async () => {
  const user = await api.signUp();
  await user.uploadPhoto();
  await waitUntilVisible();
  const reader = await watch(user);
  assert.deepEqual(listEvents(reader), [['ready', undefined, undefined]]);
  const id = await user.uploadPhoto();
  await reader.until(isAbout(id, 'created'));
  assert.deepEqual(listEvents(reader).slice(1), [['mediaItem', 'created', id]]);
  await reader.close();
});

test('an interrupted stream resumes after the last event, without gaps or repeats', async () => {
  const user = await api.signUp();
  const uploaded: string[] = [];
  const readers: EventReader[] = [await watch(user)];
  for (let round = 0; round < 4; round++) {
    const reader = readers.at(-1)!;
    for (let n = 0; n < 3; n++) uploaded.push(await user.uploadPhoto());
    // In half of the rounds, the last events arrive before the stream is closed.
    if (round % 2 === 0) await reader.until(isAbout(uploaded.at(-1)!, 'created'));
    await reader.close();
    uploaded.push(await user.uploadPhoto());
    readers.push(await readEvents([api, replica][round % 2]!.url, user.token, { lastId: reader.lastId() }));
  }
  await readers.at(-1)!.until(isAbout(uploaded.at(-1)!, 'created'));
  await readers.at(-1)!.close();
  const received = readers.flatMap(({ events }) => events).filter(({ event }) => event === 'mediaItem');
  assert.deepEqual(
    received.map(({ data }) => data.id),
    uploaded,
  );
});

/** Waits until all events are visible. Open transactions on any database of the server may delay this. */
const waitUntilVisible = async (): Promise<void> => {
  const pending = 'select from events where xid >= pg_snapshot_xmin(pg_current_snapshot()) limit 1';
  await waitUntil(
    'no transaction is open',
    async () => (await queryOnce(api.deps.config.databaseUrl, pending)).length === 0,
  );
};

test('merges missed changes of one item into one event with its current state', async () => {
  const user = await api.signUp();
  const first = await watch(user);
  await first.close();
  const [id, other] = [await user.uploadPhoto(), await user.uploadPhoto()];
  await user.call('updateMediaItem', { params: { id }, body: { favourite: true } });
  await user.call('updateMediaItem', { params: { id }, body: { hidden: true } });
  await waitUntilVisible();
  const reader = await watch(user, first.lastId());
  assert.deepEqual(listEvents(reader), [
    ['mediaItem', 'created', other],
    ['mediaItem', 'created', id],
    ['ready', undefined, undefined],
  ]);
  assert.deepEqual(reader.events[1]?.data, {
    ...reader.events[1]?.data,
    favourite: true,
    hidden: true,
    deleted: false,
  });
  await reader.close();
});

test('sends all missed events before `ready`', async () => {
  const user = await api.signUp();
  const first = await watch(user);
  await first.close();
  const missed = 600;
  for (let count = 0; count < missed; count++) await buildMediaItem(api.deps.db, user.id);
  await waitUntilVisible();
  const reader = await watch(user, first.lastId());
  const received = reader.events.map(({ event }) => event);
  assert.equal(received.indexOf('ready'), missed);
  await reader.close();
});

test('sends one reset to a client whose last event is unknown', async () => {
  const user = await api.signUp();
  const first = await watch(user);
  const id = await user.uploadPhoto();
  await first.until(isAbout(id, 'created'));
  await first.close();
  await user.uploadPhoto();
  await waitUntilVisible();
  const trimmed = first.lastId()!;
  await trimEvents(api.deps.db, { keepHours: 24, keepCount: 0 });
  for (const lastId of [trimmed, '', 'nonsense', `${trimmed}9`, '00000000-1-1']) {
    const reader = await watch(user, lastId);
    assert.deepEqual(
      reader.events.map(({ event }) => event),
      ['reset', 'ready'],
      lastId,
    );
    await reader.close();
    const again = await watch(user, reader.lastId());
    assert.deepEqual(
      again.events.map(({ event }) => event),
      ['ready'],
    );
    await again.close();
  }
});

test('sends no events of other users', async () => {
  const [one, other] = [await api.signUp(), await api.signUp()];
  const [first, second] = [await watch(one), await watch(other)];
  const photo = fileUpload(await makeNextPhoto());
  const { id: mine } = (await one.call('uploadMediaItem', photo)).body;
  const { id: theirs } = (await other.call('uploadMediaItem', photo)).body;
  await Promise.all([first.until(isAbout(mine, 'created')), second.until(isAbout(theirs, 'created'))]);
  assert.ok(!JSON.stringify(first.events).includes(theirs));
  assert.ok(!JSON.stringify(second.events).includes(mine));
  // A position from another user's stream is valid, but returns only the user's own events.
  const third = await watch(other, first.lastId());
  assert.ok(!JSON.stringify(third.events).includes(mine));
  await Promise.all([first, second, third].map((reader) => reader.close()));
});

for (const [how, end] of [
  ['is signed out', async ({ call }: TestUser) => call('logout')],
  [
    'has a new password',
    async ({ id }: TestUser) =>
      api.callAsAdmin('updateUser', { params: { id }, body: { password: 'another password' } }),
  ],
  ['is deleted', async ({ id }: TestUser) => api.callAsAdmin('deleteUser', { params: { id } })],
] as const) {
  test(`the streams of a user who ${how} end on every replica, but not those of others`, async () => {
    const [user, other] = [await api.signUp(), await api.signUp()];
    const readers = [await watch(user), await watch(user, undefined, replica.url)];
    const others = await watch(other);
    await end(user);
    assert.deepEqual(await Promise.all(readers.map(({ ended }) => ended)), [true, true]);
    const id = await other.uploadPhoto();
    await others.until(isAbout(id, 'created'));
    await others.close();
  });
}

test('sends no events that happen after a logout', async () => {
  const user = await api.signUp();
  const login = await api.call('login', { body: { username: user.username, password: user.password } });
  const elsewhere = createClient(api.url, `Bearer ${login.body.accessToken}`);
  const reader = await watch(user);
  await user.call('logout');
  const { id } = (await elsewhere('uploadMediaItem', fileUpload(await makeNextPhoto()))).body;
  assert.equal(await reader.ended, true);
  assert.ok(!JSON.stringify(reader.events).includes(id));
});

test('a stream ends when its access token expires, and resumes with a new one', async () => {
  const user = await api.signUp();
  const secret = api.deps.config.tokenSecret;
  const token = jwt.sign({ sid: sessionOf(user.token) }, secret, {
    algorithm: 'HS256',
    keyid: keyId(secret),
    subject: user.id,
    expiresIn: 3,
  });
  const reader = await watch({ ...user, token });
  assert.equal(await reader.ended, true);
  const id = await user.uploadPhoto();
  const next = await readEvents(api.url, user.token, { lastId: reader.lastId() });
  await next.until(isAbout(id, 'created'));
  await next.close();
});

const sessionOf = (token: string): string => jwt.decode(token, { json: true })!['sid'];

test('limits the streams per user, and allows another one after one is closed', async () => {
  const [user, other] = [await api.signUp(), await api.signUp()];
  const readers = await Promise.all(Array.from({ length: maxEventStreams }, () => watch(user)));
  const refused = await user.call('watchEvents');
  assert.deepEqual([refused.status, refused.error.code], [429, 'TOO_MANY_ATTEMPTS']);
  await (await watch(other)).close();
  await readers.pop()!.close();
  let status = 429;
  await waitUntil('the closed stream is gone', async () => {
    ({ status } = await user.call('watchEvents'));
    return status !== 429;
  });
  assert.equal(status, 200);
  await Promise.all(readers.map((reader) => reader.close()));
});

test('responds to HEAD with the headers of the stream', async () => {
  const user = await api.signUp();
  const { status, headers } = await user.call('watchEvents', { method: 'HEAD' });
  assert.equal(status, 200);
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.equal(headers.get('x-accel-buffering'), 'no');
});

test('reports each item of a bulk change once', async () => {
  const user = await api.signUp();
  const reader = await watch(user);
  const ids = Array.from({ length: 3_000 }, () => randomUUID());
  await api.deps.db
    .insertInto('media_items')
    .values(
      ids.map((id, index) => ({
        id,
        user_id: user.id,
        checksum: Buffer.from(id.replaceAll('-', '').repeat(2), 'hex'),
        filename: `IMG_${index}.jpg`,
        mime_type: 'image/jpeg',
        size_bytes: 1,
        type: 'PHOTO' as const,
        taken_at: new Date(),
        local_time: '2022-04-03T12:56:11',
      })),
    )
    .execute();
  await waitUntil('every event has arrived', () => reader.events.length > ids.length);
  assert.deepEqual(
    reader.events.flatMap(({ data }) => data.id ?? []),
    ids,
  );
  await reader.close();
});
