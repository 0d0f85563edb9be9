import { constants } from 'node:os';
import { Packet, type FormatContext } from 'node-av/lib';
import { isSystemTrouble, unreadable } from '../readTrouble.ts';

/** The packets of an open file from where it stands; each is gone when the next one is asked for. @throws DecodeError UNREADABLE where reading fails: that is no end */
export async function* readPackets(input: FormatContext): AsyncGenerator<Packet> {
  using packet = new Packet();
  packet.alloc();
  while ((await input.readFrame(packet)) >= 0) {
    yield packet;
    packet.unref();
  }
  const status = input.pb?.error ?? 0;
  // Where the bytes themselves lead it to a place that is none, it is EINVAL.
  if (status === -constants.errno.EIO || isSystemTrouble(status))
    throw unreadable(new Error(`reading ends with ${status}`));
}
