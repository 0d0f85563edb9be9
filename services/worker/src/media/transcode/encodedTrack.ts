import type { CodecContext, Packet, Stream } from 'node-av/lib';

/** One stream of a video that is being transcoded. */
export interface EncodedTrack extends Disposable {
  readonly encoder: CodecContext;
  /** Source stream. */
  readonly stream: Stream;
  /** Encodes a packet, or null at the end, and yields packets. Each is valid until the next one is requested. */
  encode(packet: Packet | null): AsyncGenerator<Packet>;
  /** Returns the decoded duration. */
  seconds(): number;
  /** Returns the number of packets that could not be decoded. */
  faults(): number;
}
