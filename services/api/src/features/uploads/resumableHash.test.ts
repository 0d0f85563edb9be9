import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { fc, runs } from '@hearth/testkit/run/fastCheck.ts';
import { makeTestBytes } from '@hearth/testkit/objects/testBytes.ts';
import { resumeHash } from './resumableHash.ts';

test('a resumed hash equals the hash of all bytes, wherever it was split', async () => {
  const property = fc.asyncProperty(fc.array(fc.nat(600_000), { maxLength: 5 }), async (lengths) => {
    const pieces = lengths.map((length, i) => makeTestBytes(i + 1, length));
    let state: Buffer | undefined;
    let hash = await resumeHash(undefined);
    for (const piece of pieces) {
      hash = await resumeHash(state);
      await hash!.update(piece);
      state = hash!.state();
    }
    assert.deepEqual(hash!.digest(), createHash('sha256').update(Buffer.concat(pieces)).digest());
  });
  await fc.assert(property, { numRuns: runs(30) });
});

test('two concurrent hashes do not interfere', async () => {
  const files = [makeTestBytes(1, 1_000_000), makeTestBytes(2, 1_000_000)];
  const digests = files.map(async (file) => {
    const hash = await resumeHash(undefined);
    await hash!.update(file);
    return hash!.digest();
  });
  const expected = files.map((file) => createHash('sha256').update(file).digest());
  assert.deepEqual(await Promise.all(digests), expected);
});

test('rejects a state that the library did not write', async () => {
  for (const state of [Buffer.alloc(0), Buffer.alloc(116), makeTestBytes(1, 50)]) {
    assert.equal(await resumeHash(state), undefined);
  }
});
