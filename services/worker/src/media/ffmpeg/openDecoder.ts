import { Codec, CodecContext, Frame, Packet, Log } from 'node-av/lib';
import { DecodeError } from '../errors/decodeError.ts';
import { photoFormats, type PhotoFormat } from '../formats/photoFormats.ts';
import { type AVCodecID, AV_LOG_QUIET } from 'node-av/constants';
import { pictureDecoders, soundDecoders } from '../formats/videoFormats.ts';

/** Turns FFmpeg's log off; errors come as return values of decoders. Every module that opens FFmpeg calls this function. */
export const disableFfmpegLog = (): void => Log.setLevel(AV_LOG_QUIET);

/** An FFmpeg decoder for one file. */
export interface Decoder extends Disposable {
  /**
   * Decodes one packet and returns at most `maxFrames` frames. Each packet is decoded independently. The caller frees the frames. @throws DecodeError
   * CORRUPT
   */
  decode(packet: Buffer, maxFrames?: number): Promise<Frame[]>;
}

export interface DecoderOptions {
  /** Larger pictures are rejected before memory is allocated for them. */
  readonly maxPixels: number;
  /** Decoder configuration stored outside the packets, such as an `hvcC` box. */
  readonly configuration?: Buffer;
  /** Number of times that JPEG 2000 halves the picture while decoding. A file with fewer resolution levels is reported as CORRUPT. */
  readonly halvings?: number;
}

disableFfmpegLog();

/**
 * Opens the decoder of a format of still pictures, which reports errors in the file instead of concealing them.
 * @throws DecodeError UNSUPPORTED if FFmpeg lacks the decoder, CORRUPT if the decoder rejects `configuration`
 */
export function openDecoder(format: PhotoFormat, { maxPixels, configuration, halvings = 0 }: DecoderOptions): Decoder {
  const codec = Codec.findDecoderByName(photoFormats[format].codecs[0] as never);
  if (codec === null) throw new DecodeError('UNSUPPORTED', 'No decoder for this file format.');
  const context = new CodecContext();
  context.allocContext3(codec);
  if (configuration !== undefined) context.extraData = configuration;
  context.threadCount = 1;
  context.setOption('max_pixels', maxPixels);
  context.setOption('err_detect', 'explode');
  if (halvings > 0) context.setOption('lowres', halvings);
  if (context.open2Sync(codec) < 0) {
    context.freeContext();
    throw createCorruptError('the decoder rejected its configuration');
  }
  return {
    async decode(bytes, maxFrames = 1) {
      using packet = new Packet();
      packet.alloc();
      packet.data = bytes;
      const frames: Frame[] = [];
      try {
        // Decodes in an FFmpeg thread, so that memory limits are checked meanwhile. `sendPacket(null)` makes the decoder output its buffered frames.
        if ((await context.sendPacket(packet)) < 0) throw createCorruptError('the decoder rejected a packet');
        await context.sendPacket(null);
        while (frames.length < maxFrames) {
          const frame = new Frame();
          frame.alloc();
          if ((await context.receiveFrame(frame)) < 0) {
            frame.free();
            break;
          }
          frames.push(frame);
        }
      } finally {
        context.flushBuffers();
      }
      if (frames.length === 0) throw createCorruptError('the decoder returned no picture');
      return frames;
    },
    [Symbol.dispose]: () => context.freeContext(),
  };
}

function createCorruptError(detail: string): DecodeError {
  const message = 'The file is damaged: no picture could be read from it.';
  return new DecodeError('CORRUPT', message, { cause: new Error(detail) });
}

/** Returns the decoder for a stream of a video, or undefined if none on the allow list supports it. */
export const findAllowedDecoder = (id: AVCodecID): Codec | undefined =>
  decoderNames.map((name) => Codec.findDecoderByName(name as never)).find((codec) => codec?.id === id) ?? undefined;

const decoderNames = Object.keys({ ...pictureDecoders, ...soundDecoders });
