import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BoxSyntaxError, readFields } from './isoBoxes.ts';

const body = Buffer.from('0001020304050607', 'hex');

test('reads numbers of 0, 2, 4 and 8 bytes', () => {
  assert.deepEqual(
    [0, 2, 4, 8].map((bytes) => readFields(body).sized(bytes)),
    [0, 0x0001, 0x0001_0203, 0x0001_0203_0405_0607],
  );
});

// A damaged file may state any size of 4 bits.
for (const bytes of [1, 3, 5, 6, 7, 9, 12, 15])
  test(`rejects a number of ${bytes} bytes`, () => {
    assert.throws(() => readFields(Buffer.alloc(16)).sized(bytes), BoxSyntaxError);
  });
