import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { PassThrough, type Duplex } from 'node:stream';
import { test } from 'node:test';
import { freeParsedChunks } from './freeParsedChunks.ts';
import { makeTestBytes } from '@hearth/testkit/objects/testBytes.ts';

/** Creates a response and its socket, whose bytes a test parses itself. */
const makePair = () => {
  const response = new PassThrough();
  const socket: Duplex = new PassThrough();
  response.pause();
  freeParsedChunks(Object.assign(response, { socket }) as unknown as IncomingMessage);
  /** Parses as Node's client does: `chunk` arrives at the socket, and `body` is what the response emits for it. */
  const parse = (chunk: Buffer, body: Buffer): void => {
    response.write(body);
    socket.emit('data', chunk);
  };
  return { response, parse };
};

const bytes = makeTestBytes(1, 65_536);
const copyBuffer = (buffer: Buffer): Buffer => {
  const copy = Buffer.allocUnsafeSlow(buffer.length);
  buffer.copy(copy);
  return copy;
};

test('frees parsed chunks after all of their bytes were read', async () => {
  const { response, parse } = makePair();
  const chunks = [copyBuffer(bytes), copyBuffer(bytes)];
  for (const chunk of chunks) parse(chunk, copyBuffer(bytes));
  assert.deepEqual(chunks, [bytes, bytes], 'the reader pauses');
  response.resume();
  await once(response, 'data');
  while (response.readableLength > 0) await once(response, 'data');
  assert.deepEqual(
    chunks.map(({ length }) => length),
    [0, 0],
  );
});

test('keeps chunks that the reader got without a copy', async () => {
  for (const isPaused of [true, false]) {
    const { response, parse } = makePair();
    if (!isPaused) response.resume();
    const chunks = [copyBuffer(bytes), copyBuffer(bytes)];
    for (const chunk of chunks) {
      parse(chunk, chunk);
      await new Promise(setImmediate);
    }
    response.resume();
    await new Promise(setImmediate);
    assert.deepEqual(chunks, [bytes, bytes]);
  }
});

test('returns a complete response, however it is read', async () => {
  const whole = makeTestBytes(2, 5_000_000);
  const server = createServer((_req, res) => res.end(whole)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  for (const pauseEvery of [1, 3, Number.POSITIVE_INFINITY]) {
    const [response] = (await once(get({ port, agent: false, createConnection: () => connect(port) }), 'response')) as [
      IncomingMessage,
    ];
    response.pause();
    freeParsedChunks(response);
    const seen: Buffer[] = [];
    response.on('data', (chunk: Buffer) => {
      seen.push(chunk);
      if (seen.length % pauseEvery !== 0) return;
      response.pause();
      setTimeout(() => response.resume(), 1);
    });
    response.resume();
    await once(response, 'end');
    assert.ok(Buffer.concat(seen).equals(whole));
  }
  server.close();
});
