import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '@hearth/testkit/run/fastCheck.ts';
import { makeTestBytes } from '@hearth/testkit/objects/testBytes.ts';
import { splitIntoParts, getPartBytes } from './splitIntoParts.ts';

const MiB = 2 ** 20;

const collect = async (chunks: readonly Buffer[], options: Parameters<typeof splitIntoParts>[1]): Promise<Buffer[]> => {
  const source = async function* () {
    yield* chunks;
  };
  // Copied, because the buffers are reused.
  return Array.fromAsync(splitIntoParts(source(), options), (piece) => Buffer.from(piece));
};

test('cuts any chunks into full pieces and a last one, without loss', async () => {
  const property = fc.asyncProperty(
    fc.integer({ min: 1, max: 50 }),
    fc.nat(49),
    fc.array(fc.nat(120), { maxLength: 12 }),
    fc.nat(100),
    async (partBytes, tailLength, lengths, more) => {
      const tail = makeTestBytes(20, Math.min(tailLength, partBytes - 1));
      const chunks = lengths.map((length, i) => makeTestBytes(i + 1, length));
      const all = Buffer.concat([tail, ...chunks]);
      // A resumed upload has bytes left.
      const leftBytes = Math.max(tail.length + 1, all.length + more);
      const pieces = await collect(chunks, { partBytes, tail, leftBytes });
      assert.ok(Buffer.concat(pieces).equals(all));
      const size = Math.min(partBytes, leftBytes);
      assert.ok(pieces.slice(0, -1).every((piece) => piece.length === size));
      assert.ok(pieces.at(-1)!.length < size);
    },
  );
  await fc.assert(property);
});

test('rejects more bytes than are left', async () => {
  const tail = makeTestBytes(1, 3);
  const fits = { partBytes: 10, tail, leftBytes: 20 };
  assert.equal(Buffer.concat(await collect([makeTestBytes(2, 17)], fits)).length, 20);
  await assert.rejects(collect([makeTestBytes(2, 18)], fits), { code: 'PAYLOAD_TOO_LARGE' });
});

test('uses parts of 8 MiB, and larger ones to limit their number', () => {
  assert.equal(getPartBytes(1), 8 * MiB);
  assert.equal(getPartBytes(50 * 1024 * MiB), 8 * MiB);
  for (const length of [100 * 1024 * MiB, 5 * 1024 * 1024 * MiB, Number.MAX_SAFE_INTEGER]) {
    const size = getPartBytes(length);
    assert.ok(size > 8 * MiB && size % MiB === 0 && Math.ceil(length / size) <= 10_000, String(length));
  }
});
