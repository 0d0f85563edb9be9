import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fc } from '@hearth/testkit/run/fastCheck.ts';
import { readMp4CaptureRate } from './mp4CaptureRate.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hearth-mp4-'));
});
after(() => rm(folder, { recursive: true }));

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const box = (type: string | number, ...contents: Buffer[]): Buffer => {
  const name = typeof type === 'number' ? u32(type) : Buffer.from(type, 'latin1');
  const body = Buffer.concat(contents);
  return Buffer.concat([u32(body.length + 8), name, body]);
};
const text = (value: string) => Buffer.from(value, 'latin1');
const data = (kind: number, value: Buffer): Buffer => box('data', u32(kind), u32(0), value);

/** Builds an MP4 as ffmpeg's `use_metadata_tags` writes it. The rate is its second value. */
const movie = (rate: Buffer): Buffer => {
  const keys = box(
    'keys',
    u32(0),
    u32(2),
    box('mdta', text('major_brand')),
    box('mdta', text('com.android.capture.fps')),
  );
  const values = box('ilst', box(1, data(1, text('mp42'))), box(2, rate));
  const meta = box('meta', u32(0), box('hdlr', u32(0), u32(0), text('mdta'), Buffer.alloc(13)), keys, values);
  return Buffer.concat([
    box('ftyp', text('isom')),
    box('mdat', Buffer.alloc(99)),
    box('moov', box('mvhd', Buffer.alloc(100)), meta),
  ]);
};
const float = Buffer.alloc(4);
float.writeFloatBE(240);

const read = async (bytes: Buffer): Promise<number | undefined> => {
  const path = join(folder, 'clip');
  await writeFile(path, bytes);
  return readMp4CaptureRate(path);
};

test('reads the rate from a float or a text', async () => {
  assert.equal(await read(movie(data(23, float))), 240);
  assert.equal(await read(movie(data(1, text('29.5')))), 29.5);
});

test('returns undefined for a file without boxes, without a movie or without the key', async () => {
  assert.equal(await read(Buffer.alloc(0)), undefined);
  assert.equal(await read(Buffer.alloc(5_000)), undefined);
  assert.equal(await read(box('mdat', Buffer.alloc(99))), undefined);
  assert.equal(await read(box('moov', box('meta', u32(0), box('keys', u32(0), u32(0)), box('ilst')))), undefined);
});

test('returns a number or undefined for any mutated or truncated file', async () => {
  const whole = movie(data(23, float));
  const property = fc.asyncProperty(
    fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 8 }),
    fc.nat(whole.length),
    async (changes, length) => {
      const bytes = Buffer.from(whole);
      for (const [at, value] of changes) bytes[at] = value;
      const found = await read(bytes.subarray(0, length));
      assert.ok(found === undefined || typeof found === 'number');
    },
  );
  await fc.assert(property, { numRuns: 500 });
});
