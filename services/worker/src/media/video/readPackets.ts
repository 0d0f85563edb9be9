import { AVERROR_EOF } from 'node-av/constants';
import { Packet, type FormatContext } from 'node-av/lib';
import { unreadable } from '../readTrouble.ts';

/** The packets of an open file from where it stands; each is gone when the next one is asked for. @throws DecodeError UNREADABLE where reading fails: that is no end */
export async function* readPackets(input: FormatContext): AsyncGenerator<Packet> {
  using packet = new Packet();
  packet.alloc();
  while ((await input.readFrame(packet)) >= 0) {
    yield packet;
    packet.unref();
  }
  const status = input.pb?.error ?? 0;
  if (status < 0 && status !== AVERROR_EOF) throw unreadable(new Error(`reading ends with ${status}`));
}
