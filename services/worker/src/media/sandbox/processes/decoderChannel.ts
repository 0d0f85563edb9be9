import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** How one end of a channel handles messages of the other. */
export interface ChannelEnd<Message> {
  readonly onMessage: (message: Message) => void;
  /** Validates a value as a message. @throws Error where it is none */
  readonly parse: (value: unknown) => Message;
  /** Called once, for a message that is invalid or too long, or where `onMessage` throws; no message follows. */
  readonly onFault: (error: unknown) => void;
}

/** Bytes of one message; animated previews are the longest, of a few megabytes. */
const maxMessageBytes = 128 * 1024 * 1024;

/** Bytes of a message besides pictures: a short text that repeats `[]` becomes gigabytes in JavaScript. */
const maxStructureBytes = 64 * 1024;

/** The header: the length of the rest, and the length of the structure in it. */
const headerBytes = 8;
const lengthBytes = 4;

/** The file descriptor of the channel in a decoder. */
export const channelDescriptor = 3;

/**
 * Sends and receives values over a stream. Each value is sent as its length, then the structure as JSON, in which a range stands for each
 * Buffer, then the bytes of the Buffers. Node's own channel (`child.send`) is not safe with a child that was taken over: invalid bytes, and
 * some messages of Node's own, end the parent, and a message may have 4 GiB.
 */
export function openChannel<Message>(stream: Duplex, { onMessage, parse, onFault }: ChannelEnd<Message>) {
  let chunks: Buffer[] = [];
  let length = 0;
  const isWhole = (): boolean => {
    if (length < lengthBytes) return false;
    if (chunks[0]!.length < lengthBytes) chunks = [Buffer.concat(chunks)];
    const size = chunks[0]!.readUInt32BE(0);
    if (size > maxMessageBytes) throw new Error(`a message of ${size} bytes`);
    return length >= headerBytes + size;
  };
  const take = (): void => {
    const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
    const end = headerBytes + bytes.readUInt32BE(0);
    chunks = [bytes.subarray(end)];
    length = bytes.length - end;
    onMessage(parse(decode(bytes.subarray(lengthBytes, end))));
  };
  const receive = (chunk: Buffer): void => {
    chunks.push(chunk);
    length += chunk.length;
    try {
      while (isWhole()) take();
    } catch (error) {
      stream.off('data', receive);
      stream.destroy();
      onFault(error);
    }
  };
  stream.on('data', receive);
  // The other end is gone. Callers learn this when the process of that end exits.
  stream.on('error', () => {});
  return {
    send(message: object): void {
      const body = encode(message);
      const header = Buffer.alloc(lengthBytes);
      header.writeUInt32BE(body.length - lengthBytes);
      stream.write(Buffer.concat([header, body]));
    },
  };
}

/** The place of a Buffer among the bytes: its first byte, and the one behind its last. */
interface Range {
  readonly $bytes: readonly [number, number];
}

/** The length of the structure, the structure, and the bytes. */
function encode(message: object): Buffer {
  const files: Buffer[] = [];
  let end = 0;
  // Before `JSON.stringify` comes to a Buffer: it makes an array of numbers of each, also of one that its replacer then replaces.
  const replaceBuffers = (value: unknown): unknown => {
    if (Buffer.isBuffer(value)) {
      files.push(value);
      return { $bytes: [end, (end += value.length)] } satisfies Range;
    }
    if (Array.isArray(value)) return value.map(replaceBuffers);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, replaceBuffers(each)]));
  };
  const structure = JSON.stringify(replaceBuffers(message));
  const header = Buffer.alloc(lengthBytes);
  header.writeUInt32BE(Buffer.byteLength(structure));
  return Buffer.concat([header, Buffer.from(structure), ...files]);
}

function decode(body: Buffer): unknown {
  const size = body.readUInt32BE(0);
  if (size > Math.min(maxStructureBytes, body.length - lengthBytes)) throw new Error(`a structure of ${size} bytes`);
  const files = body.subarray(lengthBytes + size);
  const structure = body.toString('utf8', lengthBytes, lengthBytes + size);
  return JSON.parse(structure, (_, value: unknown) => (isRange(value) ? cut(files, value) : value));
}

const isRange = (value: unknown): value is Range => typeof value === 'object' && value !== null && '$bytes' in value;

function cut(files: Buffer, { $bytes }: Range): Buffer {
  const [begin, end] = Array.isArray($bytes) ? $bytes : [];
  if (!(Number.isInteger(begin) && Number.isInteger(end) && begin! >= 0 && begin! <= end! && end! <= files.length))
    throw new Error('a range of bytes that are not there');
  return files.subarray(begin, end);
}

/** The decoder's end of the channel. When the other end closes, this process ends, too, also if its parent was killed by `kill -9`. */
export function openChannelToParent(onMessage: (message: never) => void) {
  const socket = new Socket({ fd: channelDescriptor });
  socket.on('close', endAtOnce);
  // A decoder's requests come from the worker itself, so they are not validated.
  return openChannel(socket, { onMessage, parse: (value) => value as never, onFault: endAtOnce });
}

const endAtOnce = (): void => void process.kill(process.pid, 'SIGKILL');
