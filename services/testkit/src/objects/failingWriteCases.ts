import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Readable } from 'node:stream';
import type { ObjectStore } from '@hearth/core/objects/objects.ts';
import { listKeys, read, toStream, makeTestBytes, type MakeStore } from './testBytes.ts';

const tomorrow = (): Date => new Date(Date.now() + 24 * 60 * 60 * 1000);

/** A body of several parts of a multipart upload, which then calls `stop` instead of ending. */
const makeBody = (stop: (body: Readable) => void): Readable => {
  let parts = 0;
  return new Readable({
    read() {
      parts += 1;
      if (parts <= 18) this.push(makeTestBytes(parts, 1024 * 1024));
      else stop(this);
    },
  });
};

const failure = new Error('the source broke');
const isPremature = { code: 'ERR_STREAM_PREMATURE_CLOSE' };

/** Incomplete bodies, and the error that `put` then rejects with. */
const brokenBodies: readonly {
  readonly how: string;
  readonly make: () => Readable;
  readonly error: Error | { readonly code: string };
}[] = [
  { how: 'fails half-way', make: () => makeBody((body) => body.destroy(failure)), error: failure },
  {
    how: 'fails before the first byte',
    make: () => new Readable({ read: () => {} }).destroy(failure),
    error: failure,
  },
  { how: 'is closed half-way', make: () => makeBody((body) => body.destroy()), error: isPremature },
  { how: 'was closed before', make: () => new Readable({ read: () => {} }).destroy(), error: isPremature },
  {
    how: 'is closed after its end has arrived, before it is read',
    make: () => {
      const body = new Readable({ read: () => {} });
      body.push(makeTestBytes(2, 1000));
      body.push(null);
      return body.destroy();
    },
    error: isPremature,
  },
];

/** Tests of `put` when the body or the caller fails. */
export const failingWriteCases = (makeStore: MakeStore): void => {
  for (const { how: description, make, error } of brokenBodies) {
    test(`a body that ${description} leaves the older object as it was`, async () => {
      await using testStore = await makeStore();
      await testStore.store.put('u/m/old', toStream(makeTestBytes(1, 1000)));
      for (const key of ['u/m/old', 'u/m/new']) {
        const body = make();
        await assert.rejects(testStore.store.put(key, body), error);
        assert.ok(body.destroyed);
      }
      await assertOnlyOld(testStore.store);
    });
  }

  test('stores only the new bytes when a failed write is repeated with others', async () => {
    await using testStore = await makeStore();
    const whole = makeTestBytes(4, 20 * 1024 * 1024);
    await assert.rejects(
      testStore.store.put(
        'u/m/new',
        makeBody((body) => body.destroy(failure)),
      ),
      failure,
    );
    assert.equal(await testStore.store.put('u/m/new', toStream(whole)), whole.length);
    assert.ok((await read(testStore.store, 'u/m/new')).equals(whole));
    assert.equal(await testStore.store.removeUnfinished(tomorrow()), 0);
  });

  test('keeps the older object if the signal is already aborted', async () => {
    await using testStore = await makeStore();
    await testStore.store.put('u/m/old', toStream(makeTestBytes(1, 1000)));
    const reason = new Error('the client is gone');
    for (const key of ['u/m/old', 'u/m/new']) {
      const body = toStream(makeTestBytes(2, 1000));
      await assert.rejects(testStore.store.put(key, body, { signal: AbortSignal.abort(reason) }), reason);
      assert.ok(body.destroyed);
    }
    await assertOnlyOld(testStore.store);
  });

  test('keeps the older object if the signal is aborted while the body hangs', async () => {
    await using testStore = await makeStore();
    await testStore.store.put('u/m/old', toStream(makeTestBytes(1, 1000)));
    const reason = new Error('the client is gone');
    for (const key of ['u/m/old', 'u/m/new']) {
      const abort = new AbortController();
      const body = makeBody(() => abort.abort(reason));
      await assert.rejects(testStore.store.put(key, body, { signal: abort.signal }), reason);
      assert.ok(body.destroyed);
    }
    await assertOnlyOld(testStore.store);
  });

  test('stores all or nothing if the signal is aborted at any time', async () => {
    await using testStore = await makeStore();
    const reason = new Error('the client is gone');
    const outcomes = new Set<boolean>();
    for (let turns = 0; (turns < 200 && outcomes.size < 2) || turns < 60; turns++) {
      const abort = new AbortController();
      const written = testStore.store.put('a', toStream(makeTestBytes(3, 200_000)), { signal: abort.signal }).then(
        () => true,
        (error: unknown) => assert.equal(error, reason),
      );
      for (let turn = 0; turn < turns; turn++) await setImmediate();
      abort.abort(reason);
      const isWritten = (await written) === true;
      outcomes.add(isWritten);
      assert.deepEqual(await listKeys(testStore.store), isWritten ? ['a'] : []);
      if (isWritten) assert.deepEqual(await read(testStore.store, 'a'), makeTestBytes(3, 200_000));
      await testStore.store.remove(['a']);
    }
    assert.equal(await testStore.store.removeUnfinished(tomorrow()), 0);
  });
};

const assertOnlyOld = async (store: ObjectStore): Promise<void> => {
  assert.deepEqual(await listKeys(store), ['u/m/old']);
  assert.deepEqual(await read(store, 'u/m/old'), makeTestBytes(1, 1000));
  assert.equal(await store.removeUnfinished(tomorrow()), 0);
};
