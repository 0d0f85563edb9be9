import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, test } from 'node:test';
import { serialize } from 'node:v8';
import { unconfined } from './confinement/confinement.ts';
import { forkDecoder, openChannelTo } from './forkDecoder.ts';

const folder = await mkdtemp(join(tmpdir(), 'hearth-channel-'));
after(() => rm(folder, { recursive: true }));

const framed = (value: unknown): Buffer => {
  const body = serialize(value);
  const header = Buffer.alloc(4);
  header.writeUInt32BE(body.length);
  return Buffer.concat([header, body]);
};

const parse = (value: unknown): object => {
  if (typeof value !== 'object' || value === null) throw new Error('no object');
  return value;
};

/** Starts a child that says these bytes; answers what came of it here. */
async function hear(bytes: Buffer): Promise<unknown> {
  const program = join(folder, 'child.mjs');
  const write = `import { writeSync } from 'node:fs'; writeSync(3, Buffer.from('${bytes.toString('hex')}', 'hex')); setInterval(() => {}, 1e6);`;
  await writeFile(program, write);
  const child = forkDecoder(pathToFileURL(program), [], unconfined, { openFiles: 256 });
  try {
    return await new Promise((resolve) => {
      openChannelTo(child, { onMessage: resolve, parse, onFault: resolve });
    });
  } finally {
    child.kill('SIGKILL');
    await once(child, 'close');
  }
}

test('what a child says is heard', async () => {
  assert.deepEqual(await hear(framed({ ready: true })), { ready: true });
});

test('whatever a child says instead of a message, its parent lives and hears of it', async () => {
  const nonsense = {
    'bytes that are no value': Buffer.from('00000008ffff010203040506', 'hex'),
    'a value that is no object': framed('x'),
    nothing: framed(null),
    'a message of four gigabytes': Buffer.from('fffffff0', 'hex'),
  };
  for (const [name, bytes] of Object.entries(nonsense)) assert.ok((await hear(bytes)) instanceof Error, name);
});

test('what Node would take for a word of its own is a message as any other', async () => {
  const word = { cmd: 'NODE_HANDLE_ACK' };
  assert.deepEqual(await hear(framed(word)), word);
});
