import type { CodecContext, Packet, Stream } from 'node-av/lib';

/** One stream of a video on its way into another format. */
export interface EncodedTrack extends Disposable {
  readonly encoder: CodecContext;
  /** The stream whose packets it takes. */
  readonly stream: Stream;
  /** Takes a packet, or null at the end, and yields what the encoder makes; each packet is gone when the next one is asked for. */
  encode(packet: Packet | null): AsyncGenerator<Packet>;
  /** How far it is: when what has been decoded ends, in seconds of playing time. */
  seconds(): number;
  /** How much could not be decoded. */
  faults(): number;
}
