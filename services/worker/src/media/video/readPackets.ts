import { constants } from 'node:os';
import { Packet, type FormatContext } from 'node-av/lib';
import { isSystemTrouble, unreadable } from '../errors/readTrouble.ts';

/**
 * The packets of an open file from its present position on; each is valid until the next one is requested. @throws DecodeError UNREADABLE
 * where reading fails, which is not the end of the file
 */
export async function* readPackets(input: FormatContext): AsyncGenerator<Packet> {
  using packet = new Packet();
  packet.alloc();
  while ((await input.readFrame(packet)) >= 0) {
    yield packet;
    packet.unref();
  }
  const status = input.pb?.error ?? 0;
  // If the bytes lead the demuxer to an impossible place, the status is EINVAL.
  if (status === -constants.errno.EIO || isSystemTrouble(status))
    throw unreadable(new Error(`reading ends with ${status}`));
}
