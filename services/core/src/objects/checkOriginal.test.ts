import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { makeFolder } from '@hearth/testkit/objects/testFolder.ts';
import { checkOriginalBytes, checkOriginalSize, type RecordedOriginal } from './checkOriginal.ts';
import { originalKey } from './keys.ts';

const folder = await makeFolder();
after(() => folder[Symbol.asyncDispose]());
const { store } = folder;

const getKey = ({ user_id, id }: RecordedOriginal): string => originalKey(user_id, id);
const put = (item: RecordedOriginal, contents: Buffer) =>
  store.put(getKey(item), Readable.from([contents], { objectMode: false }));
const buildOriginal = async () => {
  const contents = Buffer.from(`the bytes of ${randomUUID()}`);
  const checksum = createHash('sha256').update(contents).digest();
  const item = { id: randomUUID(), user_id: randomUUID(), checksum, size_bytes: contents.length };
  await put(item, contents);
  return { item, contents };
};

test('reports an intact original as OK, by size and by bytes', async () => {
  const { item } = await buildOriginal();
  const { modifiedAt } = await store.stat(getKey(item));
  assert.deepEqual(await checkOriginalSize(store, item), { state: 'OK', modifiedAt });
  let read = 0;
  const check = await checkOriginalBytes(store, item, { onRead: (length) => void (read += length) });
  assert.deepEqual(check, { state: 'OK', modifiedAt });
  assert.equal(read, item.size_bytes);
});

test('reports an original as DAMAGED by its size or only by its bytes, or as MISSING', async () => {
  const { item, contents } = await buildOriginal();
  const flipped = Buffer.from(contents);
  flipped[3]! ^= 1;
  await put(item, flipped);
  assert.equal((await checkOriginalSize(store, item)).state, 'OK');
  assert.equal((await checkOriginalBytes(store, item)).state, 'DAMAGED');
  for (const wrong of [contents.subarray(1), Buffer.alloc(0), Buffer.concat([contents, contents])]) {
    await put(item, wrong);
    assert.equal((await checkOriginalSize(store, item)).state, 'DAMAGED');
    assert.equal((await checkOriginalBytes(store, item)).state, 'DAMAGED');
  }
  await store.remove([getKey(item)]);
  assert.deepEqual(await checkOriginalSize(store, item), { state: 'MISSING', modifiedAt: undefined });
  assert.deepEqual(await checkOriginalBytes(store, item), { state: 'MISSING', modifiedAt: undefined });
});

test('reports an original as OK if it is replaced with the right bytes while it is read', async () => {
  const { item, contents } = await buildOriginal();
  await put(item, Buffer.from(contents.toReversed()));
  // The clock of the file system is coarse: the replacement may otherwise get the same modification time.
  await utimes(join(folder.root, getKey(item)), 0, 0);
  let isReplaced = false;
  const check = await checkOriginalBytes(store, item, {
    onRead: async () => {
      if (!isReplaced) await put(item, contents);
      isReplaced = true;
    },
  });
  assert.equal(check.state, 'OK');
});
