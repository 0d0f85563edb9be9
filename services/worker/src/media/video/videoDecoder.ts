import { AV_CODEC_ID_AV1, AVERROR_EAGAIN, AVERROR_EOF, FF_DECODER_LIBDAV1D } from 'node-av/constants';
import { Codec, CodecContext, Frame, Packet, type FormatContext, type Stream } from 'node-av/lib';
import { DecodeError } from '../decodeError.ts';

/** Decodes the pictures of an open video, from where its file was last sought to. */
export interface VideoDecoder extends Disposable {
  /** The next frame, which the caller frees; undefined at the end of the file. Faults are passed over and counted. */
  next(): Promise<Frame | undefined>;
  /** Goes to the last frame at or before this one (in the stream's time base) that stands for itself; false where the file cannot. */
  seek(timestamp: bigint, flags: number): Promise<boolean>;
  faults(): number;
}

/** Faults after which the rest of a video is given up. */
const maxFaults = 1_000;

/** @throws DecodeError UNSUPPORTED where there is no decoder for the stream */
export async function openVideoDecoder(
  input: FormatContext,
  stream: Stream,
  { maxPixels }: { readonly maxPixels: number },
): Promise<VideoDecoder> {
  // The native AV1 decoder of FFmpeg needs hardware for it.
  const { codecId } = stream.codecpar;
  const codec =
    (codecId === AV_CODEC_ID_AV1 ? Codec.findDecoderByName(FF_DECODER_LIBDAV1D) : null) ?? Codec.findDecoder(codecId);
  if (codec === null) throw new DecodeError('UNSUPPORTED', 'There is no decoder for this kind of video.');
  const context = new CodecContext();
  context.allocContext3(codec);
  context.parametersToContext(stream.codecpar);
  context.pktTimebase = stream.timeBase;
  context.threadCount = 1;
  context.setOption('max_pixels', maxPixels);
  if ((await context.open2(codec)) < 0) {
    context.freeContext();
    throw new DecodeError('CORRUPT', 'The file is damaged: no video could be read from it.');
  }
  const packet = new Packet();
  packet.alloc();
  let faults = 0;
  let hasEnded = false;

  /** Feeds the decoder one packet of the stream, or the end. */
  const feed = async (): Promise<void> => {
    for (;;) {
      packet.unref();
      if ((await input.readFrame(packet)) < 0) {
        hasEnded = true;
        await context.sendPacket(null);
        return;
      }
      if (packet.streamIndex !== stream.index) continue;
      if ((await context.sendPacket(packet)) < 0) faults += 1;
      return;
    }
  };

  return {
    async next() {
      const frame = new Frame();
      frame.alloc();
      while (faults < maxFaults) {
        const status = await context.receiveFrame(frame);
        if (status >= 0) {
          frame.timeBase = stream.timeBase;
          return frame;
        }
        if (status === AVERROR_EOF || (status === AVERROR_EAGAIN && hasEnded)) break;
        if (status !== AVERROR_EAGAIN) faults += 1;
        await feed();
      }
      frame.free();
      return undefined;
    },
    async seek(timestamp, flags) {
      context.flushBuffers();
      hasEnded = false;
      return (await input.seekFrame(stream.index, timestamp, flags as never)) >= 0;
    },
    faults: () => faults,
    [Symbol.dispose]() {
      packet.free();
      context.freeContext();
    },
  };
}
