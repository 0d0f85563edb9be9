import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { deserialize, serialize } from 'node:v8';

/** What one end of a channel does with what comes from the other. */
export interface ChannelEnd<Message> {
  readonly onMessage: (message: Message) => void;
  /** Answers the message that a value is. @throws Error where it is none */
  readonly parse: (value: unknown) => Message;
  /** Called once, for what is no message or too long for one, or where `onMessage` throws; nothing comes after it. */
  readonly onFault: (error: unknown) => void;
}

/** Bytes of one message; animated previews are the longest, of a few megabytes. */
const maxMessageBytes = 128 * 1024 * 1024;

const headerBytes = 4;

/** The file descriptor of a decoder's end. */
export const channelDescriptor = 3;

/**
 * Sends and receives values over a stream, each behind its length. Node's own channel (`child.send`) is no door for what a child says that was
 * taken over: of bytes that are no message, and of some that are Node's own, its parent dies; and a message may have 4 GiB.
 */
export function openChannel<Message>(stream: Duplex, { onMessage, parse, onFault }: ChannelEnd<Message>) {
  let chunks: Buffer[] = [];
  let length = 0;
  const isWhole = (): boolean => {
    if (length < headerBytes) return false;
    if (chunks[0]!.length < headerBytes) chunks = [Buffer.concat(chunks)];
    const size = chunks[0]!.readUInt32BE(0);
    if (size > maxMessageBytes) throw new Error(`a message of ${size} bytes`);
    return length >= headerBytes + size;
  };
  const take = (): void => {
    const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
    const end = headerBytes + bytes.readUInt32BE(0);
    chunks = [bytes.subarray(end)];
    length = bytes.length - end;
    onMessage(parse(deserialize(bytes.subarray(headerBytes, end))));
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
  // The other end is gone; whoever waits for its process hears of it by that.
  stream.on('error', () => {});
  return {
    send(message: object): void {
      const body = serialize(message);
      const header = Buffer.alloc(headerBytes);
      header.writeUInt32BE(body.length);
      stream.write(Buffer.concat([header, body]));
    },
  };
}

/** A decoder's end. With the other end goes this process too, `kill -9` or not. */
export function openChannelToParent(onMessage: (message: never) => void) {
  const socket = new Socket({ fd: channelDescriptor });
  socket.on('close', endAtOnce);
  // What a decoder is told comes from the worker itself.
  return openChannel(socket, { onMessage, parse: (value) => value as never, onFault: endAtOnce });
}

const endAtOnce = (): void => void process.kill(process.pid, 'SIGKILL');
