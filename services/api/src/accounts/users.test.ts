import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { findAllCountErrors } from '@hearth/testkit/rows/countErrors.ts';
import { waitUntilBlocked } from '@hearth/testkit/database/blockedQueries.ts';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { removeAccount } from '@hearth/testkit/rows/removeAccount.ts';
import { listUsersForRemoval } from './accountRemoval.ts';
import { countMediaItems } from '@hearth/testkit/rows/expectCountsRight.ts';
import { rollUpCounts } from '../lists/counts.ts';
import { transaction } from '@hearth/core/db/database.ts';
import { deleteExpiredSessions, deleteSession, findSessionUser, insertSession } from './sessions.ts';
import { findUserByUsername, getUser, insertUser, listUsers, markUserForRemoval, updateUser } from './users.ts';

const { db, drop } = await createMigratedDatabase();
after(drop);
const all = { limit: 200, start: { number: 1 } };

const notFound = { name: 'NotFoundError', message: 'user not found' };
const usernameTaken = {
  code: 'VALIDATION_FAILED',
  message: 'this username is taken',
  errors: [{ path: 'body.username', message: 'this username is taken' }],
};

const openSession = async (userId: string): Promise<string> => {
  const user = await db.selectFrom('users').select('password_hash').where('id', '=', userId).executeTakeFirst();
  const session = await insertSession(db, { userId, passwordHash: user?.password_hash ?? '' });
  return session?.sessionId ?? randomUUID();
};

test('opens no session if the password changed after it was checked', async () => {
  const user = await buildUser(db, { passwordHash: 'old' });
  let opened: ReturnType<typeof insertSession> | undefined;
  await transaction(db, async (trx) => {
    await updateUser(trx, user.id, { passwordHash: 'new' });
    opened = insertSession(db, { userId: user.id, passwordHash: 'old' });
    await waitUntilBlocked(db, 'insert into sessions');
  });
  assert.equal(await opened, undefined);
  assert.notEqual(await insertSession(db, { userId: user.id, passwordHash: 'new' }), undefined);
});

test('returns accounts without their password hash', async () => {
  const user = await insertUser(db, { name: 'Ada', username: 'ada', passwordHash: 'secret', features: {} });
  assert.deepEqual(Object.keys(user).toSorted(), [
    'created_at',
    'features',
    'id',
    'name',
    'quota_bytes',
    'updated_at',
    'used_bytes',
    'username',
  ]);
  assert.deepEqual(await getUser(db, user.id), user);
  assert((await listUsers(db, all)).entries.every((listed) => !('password_hash' in listed)));
  assert.equal((await findUserByUsername(db, 'ada'))?.password_hash, 'secret');
});

test('compares usernames without case in any alphabet', async () => {
  for (const [username, variant] of [
    ['robin', 'RoBiN'],
    ['émile', 'ÉMILE'],
    ['ÅSA', 'åsa'],
    ['ольга', 'ОЛЬГА'],
  ] as const) {
    const user = await buildUser(db, { username });
    await assert.rejects(buildUser(db, { username: variant }), usernameTaken);
    assert.equal((await findUserByUsername(db, variant))?.id, user.id);
    assert.equal((await getUser(db, user.id)).username, username, 'stored as typed');
  }
  assert.equal(await findUserByUsername(db, 'nobody'), undefined);
});

test('treats a lookalike of an existing username as that name', async () => {
  const user = await buildUser(db, { username: 'paypal' });
  for (const lookalike of ['раураl', 'PayPaI', 'paypa1', 'ｐａｙｐａｌ']) {
    await assert.rejects(buildUser(db, { username: lookalike }), usernameTaken, lookalike);
    assert.equal((await findUserByUsername(db, lookalike))?.id, user.id, lookalike);
  }
});

test('creates only one of concurrent accounts with the same username', async () => {
  const results = await Promise.allSettled(['eve', 'EVE', 'Eve', 'eVe'].map((username) => buildUser(db, { username })));
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
});

test('lists accounts by name in natural order across pages', async () => {
  const prefix = randomUUID();
  const names = ['a 2', 'Ä 10', 'B', 'c'].map((name) => `${prefix} ${name}`);
  for (const name of names.toReversed()) await buildUser(db, { name });
  const { entries, next } = await listUsers(db, all);
  assert.equal(next, undefined);
  assert.deepEqual(
    entries.map(({ name }) => name).filter((name) => name.startsWith(prefix)),
    names,
  );
  const first = await listUsers(db, { limit: 2, start: { number: 1 } });
  for (const start of [{ number: 2 }, { after: first.next! }]) {
    const second = await listUsers(db, { limit: 2, start });
    assert.deepEqual([...first.entries, ...second.entries], entries.slice(0, 4));
  }
});

test('changes only the given fields, including single features', async () => {
  const user = await buildUser(db, { features: { people: false, albums: true } });
  await updateUser(db, user.id, { features: { albums: false, jobs: false } });
  await updateUser(db, user.id, { name: 'Grace' });
  const changed = await getUser(db, user.id);
  assert.deepEqual(changed.features, { people: false, albums: false, jobs: false });
  assert.deepEqual([changed.name, changed.username], ['Grace', user.username]);
  assert(changed.updated_at > user.updated_at);
});

test('rejects the username of another account without changes, and accepts the own username in another case', async () => {
  const [user, other] = [await buildUser(db, { username: 'linus' }), await buildUser(db)];
  const sessionId = await openSession(other.id);
  await assert.rejects(
    updateUser(db, other.id, { username: 'LINUS', name: 'new', passwordHash: 'new' }),
    usernameTaken,
  );
  assert.deepEqual(await getUser(db, other.id), other);
  assert.notEqual(await findSessionUser(db, sessionId), undefined);
  await updateUser(db, user.id, { username: 'Linus' });
  assert.equal((await getUser(db, user.id)).username, 'Linus');
});

test('ends all sessions of the account after a password change, and none after other changes', async () => {
  const [user, other] = [await buildUser(db), await buildUser(db)];
  const sessions = [await openSession(user.id), await openSession(user.id)];
  const foreign = await openSession(other.id);
  await updateUser(db, user.id, { name: 'Grace', features: { jobs: false } });
  for (const id of sessions) assert.equal((await findSessionUser(db, id))?.userId, user.id);
  await updateUser(db, user.id, { passwordHash: 'new' });
  for (const id of sessions) assert.equal(await findSessionUser(db, id), undefined);
  assert.notEqual(await findSessionUser(db, foreign), undefined);
});

test('returns the current user and features of a session until it ends or expires', async () => {
  const user = await buildUser(db);
  const sessionId = await openSession(user.id);
  await updateUser(db, user.id, { features: { people: false } });
  const { linkEpoch, ...found } = (await findSessionUser(db, sessionId))!;
  assert.deepEqual(found, { sessionId, userId: user.id, features: { people: false } });
  assert.equal(typeof linkEpoch, 'number');
  await deleteSession(db, sessionId);
  await deleteSession(db, sessionId);
  assert.equal(await findSessionUser(db, sessionId), undefined);

  const expired = await openSession(user.id);
  const longAgo = new Date(Date.now() - 1_000);
  await db.updateTable('sessions').set({ expires_at: longAgo }).where('id', '=', expired).execute();
  assert.equal(await findSessionUser(db, expired), undefined);
  assert.equal(await deleteExpiredSessions(db), 1);
  assert.equal(await deleteExpiredSessions(db), 0);
});

test('ends sessions and frees the username when an account is marked for removal', async () => {
  const user = await buildUser(db, { username: 'gone' });
  const sessionId = await openSession(user.id);
  await markUserForRemoval(db, user.id);
  assert.equal(await findSessionUser(db, sessionId), undefined);
  assert.equal(
    await findSessionUser(db, await openSession(user.id)),
    undefined,
    'a login in progress opens no session either',
  );
  assert.equal(await findUserByUsername(db, 'gone'), undefined);
  await assert.rejects(getUser(db, user.id), notFound);
  await assert.rejects(updateUser(db, user.id, { name: 'x' }), notFound);
  await assert.rejects(markUserForRemoval(db, user.id), notFound);
  assert((await listUsers(db, all)).entries.every(({ id }) => id !== user.id));
  assert.deepEqual(await listUsersForRemoval(db), [user.id]);
  await buildUser(db, { username: 'Gone' });
});

test('deletes all rows and counts of an account only after it was marked', async () => {
  const user = await buildUser(db);
  await buildMediaItem(db, user.id);
  await rollUpCounts(db, 1_000);
  await buildMediaItem(db, user.id);
  await removeAccount(db, user.id);
  assert.equal(await countMediaItems(db, user.id, { visibility: 'visible' }), 2);
  await markUserForRemoval(db, user.id);
  await removeAccount(db, user.id);
  for (const table of ['media_items', 'sessions', 'counts'] as const) {
    assert.deepEqual(await db.selectFrom(table).select('user_id').where('user_id', '=', user.id).execute(), []);
  }
  assert.deepEqual(await findAllCountErrors(db), []);
  await rollUpCounts(db, 1_000);
  assert.deepEqual(await findAllCountErrors(db), []);
  assert.deepEqual(await db.selectFrom('counts').select('n').where('user_id', '=', user.id).execute(), []);
});

test('rolls up counts while their account is being deleted', async () => {
  const user = await buildUser(db);
  await buildMediaItem(db, user.id);
  await rollUpCounts(db, 1_000);
  await buildMediaItem(db, user.id);
  await markUserForRemoval(db, user.id);
  const rollingUp = await transaction(db, async (trx) => {
    await removeAccount(trx, user.id);
    const promise = rollUpCounts(db, 1_000);
    await waitUntilBlocked(db, 'count_deltas');
    return { promise };
  });
  await rollingUp.promise;
  assert.deepEqual(await findAllCountErrors(db), []);
});

test('throws NotFoundError for an unknown account', async () => {
  const id = randomUUID();
  await assert.rejects(getUser(db, id), notFound);
  await assert.rejects(updateUser(db, id, { name: 'x' }), notFound);
  await assert.rejects(markUserForRemoval(db, id), notFound);
  assert.equal(await findSessionUser(db, id), undefined);
});
