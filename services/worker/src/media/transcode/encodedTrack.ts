import type { CodecContext, Packet, Stream } from 'node-av/lib';

/** One stream of a video that is being transcoded. */
export interface EncodedTrack extends Disposable {
  readonly encoder: CodecContext;
  /** The stream that it reads. */
  readonly stream: Stream;
  /** Takes a packet, or null at the end, and yields encoded packets; each is valid until the next one is requested. */
  encode(packet: Packet | null): AsyncGenerator<Packet>;
  /** The progress: seconds of playing time that are decoded. */
  seconds(): number;
  /** How many packets could not be decoded. */
  faults(): number;
}
