import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { createRefreshToken } from './refreshTokens.ts';
import { buildUser } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { transaction } from '@hearth/core/db/database.ts';
import { findSessionUser, insertSession, refreshSession, type RefreshableSession } from './sessions.ts';

const { db, drop } = await createMigratedDatabase({ maxConnections: 20 });
after(drop);

const open = async (): Promise<RefreshableSession> => {
  const { id } = await buildUser(db, { passwordHash: 'hash' });
  return (await insertSession(db, { userId: id, passwordHash: 'hash' }))!;
};

/** Refreshes and asserts success. */
const refresh = async (token: string): Promise<string> => {
  const refreshed = await refreshSession(db, token);
  assert.ok(refreshed !== undefined && refreshed !== 'REUSED', JSON.stringify(refreshed));
  return refreshed.refreshToken;
};

const isActive = async ({ sessionId }: RefreshableSession): Promise<boolean> =>
  (await findSessionUser(db, sessionId)) !== undefined;

/** Moves the clock forward for all sessions. */
const advanceClock = async (interval: string): Promise<void> => {
  await sql`update sessions set created_at = created_at - ${interval}::interval,
    refreshed_at = refreshed_at - ${interval}::interval, expires_at = expires_at - ${interval}::interval`.execute(db);
};

test('returns the same successor to concurrent refreshes of one token', async () => {
  const session = await open();
  const tokens = await Promise.all(Array.from({ length: 50 }, () => refresh(session.refreshToken)));
  const [successor = '', ...others] = new Set(tokens);
  assert.deepEqual(others, []);
  assert.notEqual(successor, session.refreshToken);
  const next = await Promise.all(Array.from({ length: 50 }, () => refresh(successor)));
  assert.equal(new Set(next).size, 1);
  assert.equal(await isActive(session), true);
});

test('accepts the previous token for ten seconds after the refresh, then ends the session', async () => {
  const session = await open();
  const successor = await refresh(session.refreshToken);
  // now() does not advance within a transaction.
  await transaction(db, async (trx) => {
    await sql`update sessions set refreshed_at = now() - interval '10 seconds'`.execute(trx);
    const refreshed = await refreshSession(trx, session.refreshToken);
    assert.ok(typeof refreshed === 'object' && refreshed.refreshToken === successor);
    await sql`update sessions set refreshed_at = now() - interval '10.000001 seconds'`.execute(trx);
    assert.equal(await refreshSession(trx, session.refreshToken), 'REUSED');
  });
  assert.equal(await isActive(session), false);
  assert.equal(await refreshSession(db, successor), undefined, 'the newest token no longer works either');
});

test('ends the session if a token older than the previous one is used, even within ten seconds', async () => {
  const session = await open();
  await refresh(await refresh(session.refreshToken));
  assert.equal(await refreshSession(db, session.refreshToken), 'REUSED');
  assert.equal(await isActive(session), false);
});

test('does not extend the grace period when a refresh is repeated', async () => {
  const session = await open();
  await refresh(session.refreshToken);
  for (let i = 0; i < 3; i++) {
    await advanceClock('3 seconds');
    await refresh(session.refreshToken);
  }
  await advanceClock('1 second');
  assert.equal(await refreshSession(db, session.refreshToken), 'REUSED');
});

test('extends the session to 30 days with each refresh, and does not refresh an expired one', async () => {
  const session = await open();
  await advanceClock('29 days');
  const second = await refresh(session.refreshToken);
  await advanceClock('29 days');
  const third = await refresh(second);
  assert.equal(await isActive(session), true);
  await advanceClock('30 days');
  assert.equal(await refreshSession(db, third), undefined);
  assert.equal(await refreshSession(db, second), undefined);
});

test('ends no session for an unknown token', async () => {
  const session = await open();
  const bytes = Buffer.from(session.refreshToken, 'base64url');
  const ofAnotherFamily = Buffer.concat([randomBytes(32), bytes.subarray(32)]).toString('base64url');
  for (const token of ['', 'x', createRefreshToken().text, session.sessionId, ofAnotherFamily]) {
    assert.equal(await refreshSession(db, token), undefined);
  }
  assert.equal(await isActive(session), true);
});

test('stores no token, and nothing to derive one from', async () => {
  const session = await open();
  const second = await refresh(session.refreshToken);
  const row = await db.selectFrom('sessions').selectAll().where('id', '=', session.sessionId).executeTakeFirstOrThrow();
  const kept = Object.values(row).flatMap((value) => (Buffer.isBuffer(value) ? [value.toString('hex')] : []));
  assert.equal(kept.length, 4);
  for (const token of [session.refreshToken, second]) {
    const bytes = Buffer.from(token, 'base64url');
    for (const secret of [bytes.subarray(0, 32), bytes.subarray(32)]) assert.ok(!kept.includes(secret.toString('hex')));
  }
});
