import { Packet, type FormatContext } from 'node-av/lib';

/** The packets of an open file from where it stands; each is gone when the next one is asked for. */
export async function* readPackets(input: FormatContext): AsyncGenerator<Packet> {
  using packet = new Packet();
  packet.alloc();
  while ((await input.readFrame(packet)) >= 0) {
    yield packet;
    packet.unref();
  }
}
