import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Handlers of one end of a channel. */
export interface ChannelEnd<Message> {
  readonly onMessage: (message: Message) => void;
  /** Validates a message. @throws Error if it is invalid */
  readonly parse: (value: unknown) => Message;
  /** Called once, for an invalid or too long message, or an error in `onMessage`. No messages follow. */
  readonly onFault: (error: unknown) => void;
}

/** Maximum size of a message. The largest are animated previews, of a few megabytes. */
const maxMessageBytes = 128 * 1024 * 1024;

/** Maximum size of the JSON in a message, without the bytes of Buffers: parsing a short text that repeats `[]` takes gigabytes in JavaScript. */
const maxStructureBytes = 64 * 1024;

/** Size of the header: length of the rest of the message, and length of its JSON. */
const headerBytes = 8;
const lengthBytes = 4;

/** File descriptor of the channel in a decoder. */
export const channelDescriptor = 3;

/**
 * Sends and receives values over a stream. A value is sent as its length, its structure as JSON, with a byte range in place of each Buffer, and the
 * bytes of the Buffers. Node's own channel (`child.send`) is unsafe with a compromised child: invalid bytes and some of Node's internal messages
 * crash the parent, and a message may have 4 GiB.
 */
export function openChannel<Message>(stream: Duplex, { onMessage, parse, onFault }: ChannelEnd<Message>) {
  let chunks: Buffer[] = [];
  let length = 0;
  const isComplete = (): boolean => {
    if (length < lengthBytes) return false;
    if (chunks[0]!.length < lengthBytes) chunks = [Buffer.concat(chunks)];
    const size = chunks[0]!.readUInt32BE(0);
    if (size > maxMessageBytes) throw new Error(`message too large: ${size} bytes`);
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
      while (isComplete()) take();
    } catch (error) {
      stream.off('data', receive);
      stream.destroy();
      onFault(error);
    }
  };
  stream.on('data', receive);
  // The other end is gone. Callers notice when its process exits.
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

/** Byte range of a Buffer; the end is exclusive. */
interface Range {
  readonly $bytes: readonly [number, number];
}

/** Encodes the length of the structure, the structure, and the bytes. */
function encode(message: object): Buffer {
  const files: Buffer[] = [];
  let end = 0;
  // Before `JSON.stringify`, which converts every Buffer to an array of numbers, even if a replacer then replaces it.
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
  if (size > Math.min(maxStructureBytes, body.length - lengthBytes))
    throw new Error(`structure too large: ${size} bytes`);
  const files = body.subarray(lengthBytes + size);
  const structure = body.toString('utf8', lengthBytes, lengthBytes + size);
  return JSON.parse(structure, (_, value: unknown) => (isRange(value) ? readRange(files, value) : value));
}

const isRange = (value: unknown): value is Range => typeof value === 'object' && value !== null && '$bytes' in value;

function readRange(files: Buffer, { $bytes }: Range): Buffer {
  const [begin, end] = Array.isArray($bytes) ? $bytes : [];
  if (!(Number.isInteger(begin) && Number.isInteger(end) && begin! >= 0 && begin! <= end! && end! <= files.length))
    throw new Error('byte range outside the message');
  return files.subarray(begin, end);
}

/** Opens the decoder's end of the channel. This process exits when the other end closes, even if the parent was killed with `kill -9`. */
export function openChannelToParent(onMessage: (message: never) => void) {
  const socket = new Socket({ fd: channelDescriptor });
  socket.on('close', exitImmediately);
  // Requests come from the trusted worker, so they are not validated.
  return openChannel(socket, { onMessage, parse: (value) => value as never, onFault: exitImmediately });
}

const exitImmediately = (): void => void process.kill(process.pid, 'SIGKILL');
