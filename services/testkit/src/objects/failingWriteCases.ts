import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Readable } from 'node:stream';
import type { ObjectStore } from '@hearth/core/objects/objects.ts';
import { listKeys, read, toStream, makeTestBytes, type MakeStore } from './testBytes.ts';

const tomorrow = (): Date => new Date(Date.now() + 24 * 60 * 60 * 1000);

/** Makes a body of several parts of a multipart upload. After them it calls `stop` instead of ending. */
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

/** Incomplete bodies, with the error that `put` rejects with. */
const brokenBodies: readonly {
  readonly description: string;
  readonly make: () => Readable;
  readonly error: Error | { readonly code: string };
}[] = [
  { description: 'fails half-way', make: () => makeBody((body) => body.destroy(failure)), error: failure },
  {
    description: 'fails before the first byte',
    make: () => new Readable({ read: () => {} }).destroy(failure),
    error: failure,
  },
  { description: 'is closed half-way', make: () => makeBody((body) => body.destroy()), error: isPremature },
  { description: 'is already closed', make: () => new Readable({ read: () => {} }).destroy(), error: isPremature },
  {
    description: 'is closed after its end has arrived, before it is read',
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
  for (const { description, make, error } of brokenBodies) {
    test(`keeps the older object if the body ${description}`, async () => {
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

  test('stores only the new bytes when a failed write is repeated with other bytes', async () => {
    await using testStore = await makeStore();
    const bytes = makeTestBytes(4, 20 * 1024 * 1024);
    await assert.rejects(
      testStore.store.put(
        'u/m/new',
        makeBody((body) => body.destroy(failure)),
      ),
      failure,
    );
    assert.equal(await testStore.store.put('u/m/new', toStream(bytes)), bytes.length);
    assert.ok((await read(testStore.store, 'u/m/new')).equals(bytes));
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
    for (let ticks = 0; (ticks < 200 && outcomes.size < 2) || ticks < 60; ticks++) {
      const abort = new AbortController();
      const written = testStore.store.put('a', toStream(makeTestBytes(3, 200_000)), { signal: abort.signal }).then(
        () => true,
        (error: unknown) => assert.equal(error, reason),
      );
      for (let tick = 0; tick < ticks; tick++) await setImmediate();
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
