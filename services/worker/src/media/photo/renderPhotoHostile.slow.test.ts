import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import { makeScannedJpeg } from '@hearth/testkit/media/makeScannedJpeg.ts';
import { DecodeError } from '../errors/decodeError.ts';
import { checkJpegScans } from './jpegScans.ts';
import { openRenderer } from '@hearth/testkit/mediaSet/renderBytes.ts';
import { drawPhoto } from '@hearth/testkit/media/testPhotos.ts';

const render = await openRenderer();

test('rejects a picture above the limit by its header', async () => {
  const bomb = await sharp({ create: { width: 20_001, height: 1000, channels: 3, background: 'black' } })
    .png()
    .toBuffer();
  await assert.rejects(render(bomb), { code: 'TOO_LARGE', permanent: true, message: /21 million.*20 million/ });
});

test('rejects a JPEG with more than 100 scans without decoding it, at any size', async () => {
  const size = { width: 640, height: 480 };
  const rejection = { code: 'TOO_LARGE', permanent: true, message: /100 scans/ };
  await assert.rejects(render(makeScannedJpeg({ ...size, scans: 101 })), rejection);
  await assert.rejects(render(makeScannedJpeg({ ...size, scans: 4_000 })), rejection);
  const shown = await render(makeScannedJpeg({ ...size, scans: 100 }));
  assert.deepEqual([shown.width, shown.warnings], [640, []]);
  // Bytes inside segments do not count as scans. Scans after a scan with all components do not count either: decoders never reach them.
  const passes = Buffer.from('\xff\xda\0\x08\x01\x01\0\0\x3f\0'.repeat(200), 'latin1');
  const baseline = await sharp(await drawPhoto(64, 48))
    .withMetadata()
    .jpeg()
    .toBuffer();
  const comment = Buffer.concat([
    Buffer.from([0xff, 0xfe, (passes.length + 2) >> 8, (passes.length + 2) & 0xff]),
    passes,
  ]);
  const whole = Buffer.concat([baseline.subarray(0, 2), comment, baseline.subarray(2), passes]);
  assert.equal((await render(whole)).width, 64);
});

test('counts scans across the boundaries of read blocks', async () => {
  const small = { width: 64, height: 48 };
  const [minLength, maxLength] = [100, 101].map((scans) => makeScannedJpeg({ ...small, scans }).length) as [
    number,
    number,
  ];
  const folder = await mkdtemp(join(tmpdir(), 'hearth-scans-'));
  for (let shift = 0; shift < maxLength - minLength + 10; shift += 1) {
    // Moves the boundary of a 64 KiB block over the last scans.
    const comment = 'x'.repeat(64 * 1024 - minLength + shift);
    const paths = [100, 101].map((scans) => join(folder, `${shift}-${scans}.jpg`));
    for (const [i, path] of paths.entries())
      await writeFile(path, makeScannedJpeg({ ...small, scans: 100 + i, comment }));
    await checkJpegScans(paths[0]!);
    await assert.rejects(checkJpegScans(paths[1]!), { code: 'TOO_LARGE' });
  }
  await rm(folder, { recursive: true });
});

test('distinguishes unsupported formats from damaged files', async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  for (const bytes of [svg, Buffer.from('FWS\x09'), Buffer.alloc(0)]) {
    await assert.rejects(render(bytes), { code: 'UNSUPPORTED', permanent: true });
  }
  await assert.rejects(render(Buffer.from('\xff\xd8\xff and no more', 'latin1')), { code: 'CORRUPT', permanent: true });
});

for (const format of ['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif'] as const) {
  test(`shows a truncated ${format} as damaged, or rejects it as corrupt`, async () => {
    const whole = await sharp(await drawPhoto(640, 480))
      .toFormat(format)
      .toBuffer();
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        describeOutcome(whole.subarray(0, Math.floor((whole.length * (i + 0.5)) / 40))),
      ),
    );
    for (const outcome of outcomes) assert.match(outcome, /^(DAMAGED|CORRUPT|UNSUPPORTED)$/);
    if (format !== 'webp' && format !== 'avif') assert.equal(outcomes.at(-2), 'DAMAGED');
  });

  test(`renders or rejects a ${format} with flipped bits`, async () => {
    const whole = await sharp(await drawPhoto(640, 480))
      .toFormat(format)
      .toBuffer();
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, (_, seed) => describeOutcome(flipBits(whole, seed + 1))),
    );
    for (const outcome of outcomes) assert.match(outcome, /^(WHOLE|DAMAGED|CORRUPT|UNSUPPORTED|TOO_LARGE)$/);
  });
}

async function describeOutcome(bytes: Buffer): Promise<string> {
  try {
    return (await render(bytes)).warnings[0] ?? 'WHOLE';
  } catch (error) {
    assert.ok(error instanceof DecodeError);
    return error.code;
  }
}

/** Flips eight bits at positions derived from the seed (linear congruential generator with the constants of Numerical Recipes). */
function flipBits(bytes: Buffer, seed: number): Buffer {
  const flipped = Buffer.from(bytes);
  let state = seed;
  for (let i = 0; i < 8; i += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    flipped[state % flipped.length]! ^= 1 << (state >>> 29);
  }
  return flipped;
}
