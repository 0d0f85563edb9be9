import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { DecodeError } from './decodeError.ts';
import { openRenderer } from './testing/renderBytes.ts';
import { drawPhoto } from './testing/testPhotos.ts';

const render = await openRenderer();

test('a picture above the limit is refused by its header', async () => {
  const bomb = await sharp({ create: { width: 20_001, height: 1000, channels: 3, background: 'black' } })
    .png()
    .toBuffer();
  await assert.rejects(render(bomb), { code: 'TOO_LARGE', permanent: true, message: /21 million.*20 million/ });
});

test('formats without a decoder here are told from broken files', async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  for (const bytes of [svg, Buffer.from('FWS\x09'), Buffer.alloc(0)]) {
    await assert.rejects(render(bytes), { code: 'UNSUPPORTED', permanent: true });
  }
  await assert.rejects(render(Buffer.from('\xff\xd8\xff and no more', 'latin1')), { code: 'CORRUPT', permanent: true });
});

for (const format of ['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif'] as const) {
  test(`a ${format} cut off anywhere is shown as damaged or refused as corrupt`, async () => {
    const whole = await sharp(await drawPhoto(640, 480))
      .toFormat(format)
      .toBuffer();
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, i) => outcomeOf(whole.subarray(0, Math.floor((whole.length * (i + 0.5)) / 40)))),
    );
    for (const outcome of outcomes) assert.match(outcome, /^(DAMAGED|CORRUPT|UNSUPPORTED)$/);
    if (format !== 'webp' && format !== 'avif') assert.equal(outcomes.at(-2), 'DAMAGED');
  });

  test(`a ${format} with wrong bits never costs more than its own rendering`, async () => {
    const whole = await sharp(await drawPhoto(640, 480))
      .toFormat(format)
      .toBuffer();
    const outcomes = await Promise.all(Array.from({ length: 60 }, (_, seed) => outcomeOf(flipBits(whole, seed + 1))));
    for (const outcome of outcomes) assert.match(outcome, /^(WHOLE|DAMAGED|CORRUPT|UNSUPPORTED|TOO_LARGE)$/);
  });
}

async function outcomeOf(bytes: Buffer): Promise<string> {
  try {
    return (await render(bytes)).warnings[0] ?? 'WHOLE';
  } catch (error) {
    assert.ok(error instanceof DecodeError);
    return error.code;
  }
}

/** Eight flips at places that follow from the seed (a linear congruential generator, Numerical Recipes' constants). */
function flipBits(bytes: Buffer, seed: number): Buffer {
  const flipped = Buffer.from(bytes);
  let state = seed;
  for (let i = 0; i < 8; i += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    flipped[state % flipped.length]! ^= 1 << (state >>> 29);
  }
  return flipped;
}
