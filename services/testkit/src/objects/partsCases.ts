import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  InvalidKeyError,
  isNotFound,
  StoreError,
  UnknownWriteError,
  WrongPartsError,
} from '@hearth/core/objects/objectErrors.ts';
import { type ObjectStore, minPartBytes, type StoredPart } from '@hearth/core/objects/objects.ts';
import { forEachConcurrently, listKeys, read, sha256, toStream, makeTestBytes, type MakeStore } from './testBytes.ts';

const key = 'u/m/original';
const tomorrow = (): Date => new Date(Date.now() + 24 * 60 * 60 * 1000);

/** Stores `bytes` as part `number`, at the offset for parts of the minimum size. */
const putPart = async (store: ObjectStore, writeId: string, number: number, bytes: Buffer): Promise<StoredPart> => ({
  number,
  tag: await store.putPart(key, writeId, { number, offset: (number - 1) * minPartBytes }, bytes),
});

/** Makes bytes of `parts` whole parts and `rest` more bytes, and splits them into pieces for these parts. */
const makePieces = (seed: number, parts: number, rest: number): { bytes: Buffer; pieces: Buffer[] } => {
  const bytes = makeTestBytes(seed, parts * minPartBytes + rest);
  const count = parts + (rest > 0 ? 1 : 0);
  const pieces = Array.from({ length: count }, (_, i) => bytes.subarray(i * minPartBytes, (i + 1) * minPartBytes));
  return { bytes, pieces };
};

const putAll = async (store: ObjectStore, writeId: string, pieces: readonly Buffer[]): Promise<StoredPart[]> => {
  const parts: StoredPart[] = [];
  for (const [i, piece] of pieces.entries()) parts.push(await putPart(store, writeId, i + 1, piece));
  return parts;
};

/** Tests of multipart writes. */
export const partsCases = (makeStore: MakeStore): void => {
  for (const [name, parts, rest] of [
    ['one small part', 0, 1],
    ['whole parts', 2, 0],
    ['whole parts and a shorter one', 3, 12_345],
  ] as const) {
    test(`stores an object of ${name} unchanged, and hides it until it is complete`, async () => {
      await using testStore = await makeStore();
      const { bytes, pieces } = makePieces(1, parts, rest);
      const writeId = await testStore.store.beginParts(key);
      const stored = await putAll(testStore.store, writeId, pieces);
      assert.deepEqual(await listKeys(testStore.store), []);
      await assert.rejects(testStore.store.stat(key), isNotFound);
      assert.equal(await testStore.store.finishParts(key, writeId, stored), bytes.length);
      assert.equal((await testStore.store.stat(key)).sizeBytes, bytes.length);
      assert.equal(await sha256(await testStore.store.open(key)), await sha256(toStream(bytes)));
      assert.equal(await testStore.store.removeUnfinished(tomorrow()), 0);
    });
  }

  test('accepts parts in any order and in parallel, and does not keep their buffers', async () => {
    await using testStore = await makeStore();
    const { bytes, pieces } = makePieces(2, 3, 1000);
    const writeId = await testStore.store.beginParts(key);
    const stored: StoredPart[] = [];
    await forEachConcurrently([3, 0, 2, 1], 2, async (index) => {
      const piece = Buffer.from(pieces[index]!);
      stored[index] = await putPart(testStore.store, writeId, index + 1, piece);
      piece.fill(0);
    });
    await testStore.store.finishParts(key, writeId, stored);
    assert.equal(await sha256(await testStore.store.open(key)), await sha256(toStream(bytes)));
  });

  test('uses the last version of a part that is stored twice', async () => {
    await using testStore = await makeStore();
    const { bytes, pieces } = makePieces(3, 1, 1000);
    const writeId = await testStore.store.beginParts(key);
    const wrong = await putPart(testStore.store, writeId, 1, makeTestBytes(9, minPartBytes));
    await putPart(testStore.store, writeId, 2, makeTestBytes(9, 5000));
    const stored = await putAll(testStore.store, writeId, pieces);
    await assert.rejects(testStore.store.finishParts(key, writeId, [wrong, stored[1]!]), WrongPartsError);
    assert.equal(await testStore.store.finishParts(key, writeId, stored), bytes.length);
    assert.ok((await read(testStore.store, key)).equals(bytes));
  });

  test('accepts the same part twice', async () => {
    await using testStore = await makeStore();
    const { bytes, pieces } = makePieces(4, 1, 1000);
    const writeId = await testStore.store.beginParts(key);
    const stored = await putAll(testStore.store, writeId, pieces);
    await putAll(testStore.store, writeId, pieces);
    assert.equal(await testStore.store.finishParts(key, writeId, stored), bytes.length);
  });

  test('makes the object without the last stored part if it is not listed, or rejects the list', async () => {
    await using testStore = await makeStore();
    const { bytes, pieces } = makePieces(5, 2, 1000);
    const writeId = await testStore.store.beginParts(key);
    const stored = await putAll(testStore.store, writeId, pieces);
    const sizeBytes = await testStore.store
      .finishParts(key, writeId, stored.slice(0, 2))
      .catch(async (error: unknown) => {
        assert.ok(error instanceof WrongPartsError, String(error));
        assert.deepEqual(await listKeys(testStore.store), []);
        return testStore.store.finishParts(key, writeId, stored);
      });
    assert.ok(sizeBytes === 2 * minPartBytes || sizeBytes === bytes.length);
    assert.ok((await read(testStore.store, key)).equals(bytes.subarray(0, sizeBytes)));
  });

  test('rejects a list of parts with a missing one, and makes the object once that part is stored', async () => {
    await using testStore = await makeStore();
    const { bytes, pieces } = makePieces(6, 2, 1000);
    const writeId = await testStore.store.beginParts(key);
    const first = await putPart(testStore.store, writeId, 1, pieces[0]!);
    const last = await putPart(testStore.store, writeId, 3, pieces[2]!);
    for (const parts of [[first, { number: 2, tag: first.tag }, last], [first, { ...last, number: 2 }], []]) {
      await assert.rejects(testStore.store.finishParts(key, writeId, parts), WrongPartsError);
      assert.deepEqual(await listKeys(testStore.store), []);
    }
    const missing = await putPart(testStore.store, writeId, 2, pieces[1]!);
    await testStore.store.finishParts(key, writeId, [first, missing, last]);
    assert.ok((await read(testStore.store, key)).equals(bytes));
  });

  test('separates two writes of one key, and the one finished last wins', async () => {
    await using testStore = await makeStore();
    const [one, other] = [makePieces(7, 1, 10), makePieces(8, 1, 20)];
    const [oneId, otherId] = [await testStore.store.beginParts(key), await testStore.store.beginParts(key)];
    assert.notEqual(oneId, otherId);
    const [ones, others] = await Promise.all([
      putAll(testStore.store, oneId, one.pieces),
      putAll(testStore.store, otherId, other.pieces),
    ]);
    await testStore.store.finishParts(key, oneId, ones);
    assert.ok((await read(testStore.store, key)).equals(one.bytes));
    await testStore.store.finishParts(key, otherId, others);
    assert.ok((await read(testStore.store, key)).equals(other.bytes));
  });

  test('rejects a write that is finished, abandoned or unknown, and keeps the object', async () => {
    await using testStore = await makeStore();
    const { store } = testStore;
    const { bytes, pieces } = makePieces(9, 0, 1000);
    const finished = await store.beginParts(key);
    const stored = await putAll(store, finished, pieces);
    await store.finishParts(key, finished, stored);
    const abandoned = await store.beginParts(key);
    await putAll(store, abandoned, pieces);
    await store.abandonParts(key, abandoned);
    const unknown = [finished, abandoned, 'c0ffee00-0000-4000-8000-000000000000', 'nonsense', '../original', ''];
    for (const writeId of unknown) {
      // A server may respond and close the connection before it has read a large part.
      for (const piece of [pieces[0]!, makeTestBytes(9, 2 * minPartBytes)]) {
        const part = { number: 1, offset: 0 };
        await assert.rejects(store.putPart(key, writeId, part, piece), UnknownWriteError, writeId);
      }
      await assert.rejects(store.finishParts(key, writeId, stored), UnknownWriteError, writeId);
      await store.abandonParts(key, writeId);
    }
    assert.ok((await read(store, key)).equals(bytes));
    assert.equal(await store.removeUnfinished(tomorrow()), 0);
  });

  test('removes old unfinished writes except those to keep', async () => {
    await using testStore = await makeStore();
    const { store } = testStore;
    const { bytes, pieces } = makePieces(10, 1, 1000);
    const [kept, unfinished, empty] = [
      await store.beginParts(key),
      await store.beginParts('u/n/original'),
      await store.beginParts(key),
    ];
    const stored = await putAll(store, kept, pieces);
    await store.putPart('u/n/original', unfinished, { number: 1, offset: 0 }, pieces[0]!);
    assert.equal(await store.removeUnfinished(new Date(Date.now() - 60_000)), 0);
    assert.equal(await store.removeUnfinished(tomorrow(), new Set([kept])), 2);
    for (const [otherKey, writeId] of [
      ['u/n/original', unfinished],
      [key, empty],
    ] as const) {
      await assert.rejects(store.putPart(otherKey, writeId, { number: 1, offset: 0 }, pieces[0]!), UnknownWriteError);
    }
    await store.finishParts(key, kept, stored);
    assert.ok((await read(store, key)).equals(bytes));
  });

  test('makes a complete object if several callers finish a write at the same time', async () => {
    await using testStore = await makeStore();
    const { bytes, pieces } = makePieces(11, 1, 1000);
    const writeId = await testStore.store.beginParts(key);
    const stored = await putAll(testStore.store, writeId, pieces);
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => testStore.store.finishParts(key, writeId, stored)));
    assert.ok(outcomes.some(({ status }) => status === 'fulfilled'));
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') continue;
      // The store may report that another call is in progress. Such a call can be retried.
      const { reason } = outcome;
      assert.ok(reason instanceof UnknownWriteError || reason instanceof StoreError, String(reason));
    }
    assert.ok((await read(testStore.store, key)).equals(bytes));
  });

  test('rejects parts with an invalid key', async () => {
    await using testStore = await makeStore();
    const writeId = await testStore.store.beginParts(key);
    for (const invalid of ['', '../a', 'a//b', '.a']) {
      const part = { number: 1, offset: 0 };
      await assert.rejects(testStore.store.beginParts(invalid), InvalidKeyError);
      await assert.rejects(testStore.store.putPart(invalid, writeId, part, makeTestBytes(1, 10)), InvalidKeyError);
      await assert.rejects(testStore.store.finishParts(invalid, writeId, [{ number: 1, tag: 'x' }]), InvalidKeyError);
      await assert.rejects(testStore.store.abandonParts(invalid, writeId), InvalidKeyError);
    }
  });
};
