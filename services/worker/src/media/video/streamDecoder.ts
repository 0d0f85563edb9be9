import { AVERROR_EAGAIN, AVERROR_EOF } from 'node-av/constants';
import { CodecContext, Frame, type Packet, type Stream } from 'node-av/lib';
import { DecodeError } from '../errors/decodeError.ts';
import { findAllowedDecoder } from '../ffmpeg/openDecoder.ts';

/** Decodes one stream of a video, its packets in order. */
export interface StreamDecoder extends Disposable {
  /** Decodes a packet, or null at the end, and yields frames, which the caller frees. Counts errors and continues. */
  decode(packet: Packet | null): AsyncGenerator<Frame>;
  /** Drops the state of earlier packets. Call it after a seek. */
  reset(): void;
  faults(): number;
}

export interface StreamDecoderOptions {
  /** Larger pictures are rejected before memory is allocated for them. */
  readonly maxPixels: number;
}

/** Opens the decoder of a stream. @throws DecodeError UNSUPPORTED if no allowed decoder supports the stream, CORRUPT */
export async function openStreamDecoder(stream: Stream, { maxPixels }: StreamDecoderOptions): Promise<StreamDecoder> {
  const codec = findAllowedDecoder(stream.codecpar.codecId);
  if (codec === undefined) throw new DecodeError('UNSUPPORTED', 'No decoder for this video codec.');
  const context = new CodecContext();
  context.allocContext3(codec);
  context.parametersToContext(stream.codecpar);
  context.pktTimebase = stream.timeBase;
  // Each thread would hold its own frames, of 25 MB each for 10-bit 4K.
  context.threadCount = 1;
  context.setOption('max_pixels', maxPixels);
  if ((await context.open2(codec)) < 0) {
    context.freeContext();
    throw new DecodeError('CORRUPT', 'The file is damaged: no video could be read from it.');
  }
  let faults = 0;
  return {
    async *decode(packet) {
      const sent = await context.sendPacket(packet);
      // An empty packet is not an error: it repeats the last frame.
      if (sent < 0 && packet !== null && packet.size > 0) faults += 1;
      for (;;) {
        const frame = new Frame();
        frame.alloc();
        const received = await context.receiveFrame(frame);
        if (received < 0) {
          frame.free();
          if (received !== AVERROR_EAGAIN && received !== AVERROR_EOF) faults += 1;
          return;
        }
        frame.timeBase = stream.timeBase;
        yield frame;
      }
    },
    reset: () => context.flushBuffers(),
    faults: () => faults,
    [Symbol.dispose]: () => context.freeContext(),
  };
}
