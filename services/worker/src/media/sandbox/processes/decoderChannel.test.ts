import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { duplexPair } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { after, test } from 'node:test';
import { unconfined } from '../confinement/confinement.ts';
import { openChannel } from './decoderChannel.ts';
import { forkDecoder, openChannelTo } from './forkDecoder.ts';

const folder = await mkdtemp(join(tmpdir(), 'hearth-channel-'));
after(() => rm(folder, { recursive: true }));

/** Builds a message of this structure and the bytes after it. */
const message = (structure: string, bytes = ''): Buffer => {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(structure.length + bytes.length);
  header.writeUInt32BE(structure.length, 4);
  return Buffer.concat([header, Buffer.from(structure + bytes)]);
};

const frame = (value: unknown): Buffer => message(JSON.stringify(value));

const parse = (value: unknown): object => {
  if (typeof value !== 'object' || value === null) throw new Error('not an object');
  return value;
};

/** Starts a child that sends these bytes. Returns the received message or error. */
async function receiveMessages(bytes: Buffer): Promise<unknown> {
  const program = join(folder, 'child.mjs');
  const output = Buffer.from(bytes).toString('base64');
  const write = `import { Socket } from 'node:net'; new Socket({ fd: 3 }).write(Buffer.from('${output}', 'base64')); setInterval(() => {}, 1e6);`;
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

test('receives messages with the bytes in them', async () => {
  assert.deepEqual(await receiveMessages(frame({ ready: true })), { ready: true });
  const bytes = { $bytes: [1, 4] };
  const received = await receiveMessages(message(JSON.stringify({ bytes, more: [{ bytes }] }), '.jpg.'));
  assert.deepEqual(received, { bytes: Buffer.from('jpg'), more: [{ bytes: Buffer.from('jpg') }] });
});

test('transmits values unchanged, and never converts bytes to text', async () => {
  const [here, there] = duplexPair();
  const bytes = Object.assign(Buffer.from('jpg'), {
    toJSON: () => assert.fail('pictures of megabytes would become lists of numbers'),
  });
  const arrived = new Promise((resolve, onFault) => openChannel(there, { onMessage: resolve, parse, onFault }));
  const sent = { bytes, more: [{ bytes, text: 'b', size: 3, alpha: false, none: null }], empty: Buffer.alloc(0) };
  openChannel(here, { onMessage: () => undefined, parse, onFault: () => undefined }).send(sent);
  const plain = Buffer.from('jpg');
  assert.deepEqual(await arrived, { ...sent, bytes: plain, more: [{ ...sent.more[0], bytes: plain }] });
});

test('reports an error for any invalid message, and survives it', async () => {
  const invalidMessages = {
    'invalid JSON': message('{"ready"'),
    'a byte range beyond the message': message('{"bytes":{"$bytes":[0,9]}}', 'eight by'),
    'an invalid byte range': message('{"bytes":{"$bytes":["all"]}}', 'eight by'),
    'a structure longer than its message': Buffer.from('00000002000000037b7d7d', 'hex'),
    'a structure that would fill the memory': message(`{"list":[${'[],'.repeat(100_000)}[]]}`),
    'a value that is not an object': frame('x'),
    null: frame(null),
    'a message of four gigabytes': Buffer.from('fffffff0', 'hex'),
  };
  for (const [name, bytes] of Object.entries(invalidMessages))
    assert.ok((await receiveMessages(bytes)) instanceof Error, name);
});

test("treats messages with Node's internal names as ordinary messages", async () => {
  const internalMessage = { cmd: 'NODE_HANDLE_ACK' };
  assert.deepEqual(await receiveMessages(frame(internalMessage)), internalMessage);
});
